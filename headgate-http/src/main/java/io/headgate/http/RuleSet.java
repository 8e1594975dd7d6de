package io.headgate.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules in force, compiled and immutable: finds the rules of a request, which a {@link Gate} then checks. */
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
        public List<Rule> rules() {
            return List.of();
        }

        @Override
        public List<BoundRule> boundRules() {
            return List.of();
        }

        @Override
        public boolean isEmpty(Rule.Stage stage) {
            return true;
        }
    };

    /**
     * The bound rules of a request, in this order: every matching rule with {@link Rule.Match#ALL}, the first of the other matching
     * rules, and then the shadow rules, chosen in the same way among themselves. If the path can be read in several ways, the rules
     * of each reading.
     */
    List<BoundRule> match(Rule.Stage stage, String method, String path);

    /** The bound rules that the request must pass in that stage. */
    default List<BoundRule> match(Rule.Stage stage, RequestView request) {
        return match(stage, request.method(), request.path());
    }

    /** Explains which rules match a request in all stages, and why. For diagnosis only. */
    Explanation explain(String method, String path);

    /** All rules in the order they were written, including those that are off. */
    List<Rule> rules();

    /** The bound rules of all rules that are not off, in the order the rules were written. */
    List<BoundRule> boundRules();

    /** The rule of that name; {@code null} if there is none. For diagnosis and administration. */
    default @Nullable Rule rule(String name) {
        return rules().stream()
                .filter(rule -> rule.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    /** The bound rule of that name; {@code null} if there is none, or it is off. For diagnosis and administration. */
    default @Nullable BoundRule boundRule(String name) {
        return boundRules().stream()
                .filter(rule -> rule.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    /** Whether the stage has no rules at all, so that requests need not be checked there. */
    default boolean isEmpty(Rule.Stage stage) {
        return false;
    }

    /** Warnings about settings that are valid but probably not intended. */
    default List<String> warnings() {
        return List.of();
    }
}
