package io.headgate.http;

import io.headgate.FailurePolicy;
import io.headgate.Headgate;
import io.headgate.Plan;
import io.headgate.RateLimiter;

/** Makes the limiters of rules. */
@FunctionalInterface
public interface LimiterFactory {

    /**
     * A limiter for the keys of that scope; what was spent in it before stays spent.
     *
     * @throws IllegalArgumentException if the store cannot keep the plan
     */
    RateLimiter limiter(String scope, Plan plan, FailurePolicy onStoreFailure);

    /** Limiters over the store of Headgate. Only one with a guard follows the policy; else a failing store is the gate's problem. */
    static LimiterFactory of(Headgate headgate) {
        return headgate::limiter;
    }
}
