package io.headgate.http;

import org.jspecify.annotations.Nullable;

/** The variables in the patterns of a rule, such as {@code id} in {@code /orders/{id}}. */
@FunctionalInterface
public interface PathVariables {

    /** The part of the path that the variable stands for; {@code null} if no pattern that matches the path has that variable. */
    @Nullable
    String value(String path, String name);
}
