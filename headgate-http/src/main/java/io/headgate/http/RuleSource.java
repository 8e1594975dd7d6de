package io.headgate.http;

import java.util.List;

/** Where rules come from: a configuration file, a database, a service. */
@FunctionalInterface
public interface RuleSource {

    /** Reads all rules in their current state. */
    List<Rule> rules();

    /** Registers a callback to run whenever {@link #rules} may have changed. A source that never changes ignores it. */
    default void onChange(Runnable changed) {}

    static RuleSource of(Rule... rules) {
        List<Rule> all = List.of(rules);
        return () -> all;
    }
}
