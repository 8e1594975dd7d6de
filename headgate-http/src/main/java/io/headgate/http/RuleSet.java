package io.headgate.http;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The rules in force, compiled and immutable. */
public interface RuleSet {

    /** The set without any rules. */
    RuleSet EMPTY = new RuleSet() {
        @Override
        public List<BoundRule> match(Rule.Stage stage, String method, String path) {
            return List.of();
        }

        @Override
        public Explanation explain(String method, String path) {
            return new Explanation(method, path, List.of());
        }

        @Override
        public List<BoundRule> boundRules() {
            return List.of();
        }

        @Override
        public boolean idle(Rule.Stage stage) {
            return true;
        }
    };

    /**
     * The bound rules of a request, in this order: every matching rule with {@link Rule.Match#ALL}, the first of the other matching
     * rules, and then the shadow rules, chosen in the same way among themselves.
     */
    List<BoundRule> match(Rule.Stage stage, String method, String path);

    /** Explains which rules match a request in all stages, and why. For diagnosis only. */
    Explanation explain(String method, String path);

    /** As {@link #match}, for a path in every way to read it. This is what requests are checked by. */
    default List<BoundRule> matchReadings(Rule.Stage stage, String method, String path) {
        List<BoundRule> matched = match(stage, method, path);
        if (PathReadings.plain(path) || idle(stage)) {
            return matched;
        }
        Set<BoundRule> all = new LinkedHashSet<>(matched);
        PathReadings.others(path).forEach(reading -> all.addAll(match(stage, method, reading)));
        return all.size() == matched.size() ? matched : List.copyOf(all);
    }

    /** As {@link #explain}, for a path in every way to read it. */
    default Explanation explainReadings(String method, String path) {
        Explanation explanation = explain(method, path);
        if (!PathReadings.plain(path)) {
            for (String reading : PathReadings.others(path)) {
                explanation = explanation.alsoReadAs(explain(method, reading));
            }
        }
        return explanation;
    }

    /** The bound rules of all rules that are not off, in the order the rules were written. */
    List<BoundRule> boundRules();

    /** Whether the stage has no rules at all, so that requests need not be checked there. */
    default boolean idle(Rule.Stage stage) {
        return false;
    }

    /** Warnings about settings that are valid but probably not intended. */
    default List<String> warnings() {
        return List.of();
    }
}
