package io.headgate.spring;

import java.util.Set;

/** Knows of rules that are used other than by their paths and by {@link RateLimit}, such as by routes of a gateway. */
@FunctionalInterface
public interface RuleReferences {

    /** The names of those rules, as far as they are known by now. */
    Set<String> names();
}
