package io.headgate.http;

import java.util.List;

/** Where rules come from: a configuration file, a database, a service. */
@FunctionalInterface
public interface RuleSource {

    /** All rules, as they are written now. */
    List<Rule> rules();

    /** Asks to be told whenever {@link #rules} may have changed. A source that never changes has nothing to tell. */
    default void onChange(Runnable changed) {}

    static RuleSource of(Rule... rules) {
        List<Rule> all = List.of(rules);
        return () -> all;
    }
}
