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

    /** Limiters straight over a store, for stores that do not fail. */
    static LimiterFactory of(Headgate headgate) {
        return (scope, plan, onStoreFailure) -> headgate.limiter(scope, plan);
    }
}
