package io.headgate.http;

import io.headgate.Decision;
import io.headgate.FailurePolicy;

/**
 * Receives each decision after it was made, at most once. A listener cannot change a decision, whatever it throws, and cannot delay
 * one: unless it is {@link #quick}, it is called on a thread of its own.
 */
@FunctionalInterface
public interface DecisionListener {

    /**
     * Called when a decision was made and is final.
     *
     * @param rule what was limited: the name of the rule, or of the limit of a method
     * @param enforced whether the decision was applied to the request; {@code false} if its rule is in shadow mode
     */
    void decided(String rule, Decision decision, boolean enforced);

    /** Called when no decision could be made and the failure policy determined what to do instead. */
    default void failed(String rule, FailurePolicy policy, Throwable cause) {}

    /**
     * Whether this listener never blocks. A quick listener is called at once by the thread that decided, and by many threads
     * concurrently. Any other is called soon after, in order, one call at a time, and misses decisions if it is too slow. Queried
     * once.
     */
    default boolean quick() {
        return false;
    }
}
