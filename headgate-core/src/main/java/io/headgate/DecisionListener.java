package io.headgate;

/**
 * Is told of decisions, once each, after they were made. It changes none of them, whatever it throws, and delays none: unless it
 * says that it is {@link #quick} it is told by a thread of its own.
 */
@FunctionalInterface
public interface DecisionListener {

    /**
     * A decision was made and stands.
     *
     * @param scope what was limited: the name of the rule or limiter
     * @param enforced whether the request was held to it, rather than the limit only tried out
     */
    void decided(String scope, Decision decision, boolean enforced);

    /** No decision could be made, and the policy said what to do instead. */
    default void failed(String scope, FailurePolicy policy, Throwable cause) {}

    /**
     * Whether it never waits for anything, and may be told by the thread that decided: at once, and by many threads at a time.
     * Others are told soon after, in order, one at a time, and miss what they are too slow for. Asked once.
     */
    default boolean quick() {
        return false;
    }
}
