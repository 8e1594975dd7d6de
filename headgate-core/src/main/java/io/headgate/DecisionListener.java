package io.headgate;

/**
 * Is told of decisions, once each, after they were made. Called by the thread that decided: it must not block, and what it
 * throws is logged and changes nothing.
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
}
