package io.headgate.http;

import java.util.List;

/** The rules in force, compiled and immutable. */
public interface RuleSet {

    /** No rules at all. */
    RuleSet EMPTY = new RuleSet() {
        @Override
        public List<Checkpoint> match(Rule.Stage stage, String method, String path) {
            return List.of();
        }

        @Override
        public Explanation explain(String method, String path) {
            return new Explanation(method, path, List.of());
        }

        @Override
        public List<Checkpoint> checkpoints() {
            return List.of();
        }

        @Override
        public boolean idle(Rule.Stage stage) {
            return true;
        }
    };

    /**
     * Where a request has to stop, in this order: every rule that asks for {@link Rule.Match#ALL}, the first of the others,
     * and then the rules that are only tried out, chosen in the same way among themselves.
     */
    List<Checkpoint> match(Rule.Stage stage, String method, String path);

    /** Why a request meets the rules it meets, in all stages. For people; {@link #match} is for requests. */
    Explanation explain(String method, String path);

    /** Every rule that is not off, in the order they were written. */
    List<Checkpoint> checkpoints();

    /** Whether no rule stands at that stage, whatever the request: then it need not be looked at there. */
    default boolean idle(Rule.Stage stage) {
        return false;
    }

    /** What is allowed and probably not meant. */
    default List<String> warnings() {
        return List.of();
    }
}
