package io.headgate.http;

import java.util.List;

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
     * The checkpoints of a request, in this order: every matching rule with {@link Rule.Match#ALL}, the first of the other matching
     * rules, and then the shadow rules, chosen in the same way among themselves.
     */
    List<BoundRule> match(Rule.Stage stage, String method, String path);

    /** Explains which rules check a request in all stages, and why. For diagnosis only; requests are checked by {@link #match}. */
    Explanation explain(String method, String path);

    /** The checkpoints of all rules that are not off, in the order the rules were written. */
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
