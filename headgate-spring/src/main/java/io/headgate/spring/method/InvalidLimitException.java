package io.headgate.spring.method;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Thrown for an invalid annotation. The message names the annotated type or method. */
public final class InvalidLimitException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    InvalidLimitException(Class<?> type, String problem, Throwable cause) {
        super("@RateLimit on " + type.getName() + ": " + problem, cause);
    }

    InvalidLimitException(Class<?> type, Method method, String problem, @Nullable Throwable cause) {
        super("@RateLimit on " + type.getName() + "#" + method.getName() + ": " + problem, cause);
    }
}
