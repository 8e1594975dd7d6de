package io.headgate.http;

import io.headgate.FailurePolicy;
import io.headgate.Headgate;
import io.headgate.Plan;
import io.headgate.RateLimiter;

/** Creates the limiters of rules. */
@FunctionalInterface
public interface LimiterFactory {

    /**
     * Creates a limiter for the keys of the scope. Permits that were spent in the scope before stay spent.
     *
     * @throws IllegalArgumentException if the store cannot keep the plan
     */
    RateLimiter limiter(String scope, Plan plan, FailurePolicy onStoreFailure);

    /**
     * Limiters over the store of {@code headgate}. Only a guarded store applies the failure policy itself; the failures of any
     * other store reach the gate, which then applies it.
     */
    static LimiterFactory of(Headgate headgate) {
        return (scope, plan, policy) ->
                headgate.guard().isPresent() ? headgate.limiter(scope, plan, policy) : headgate.limiter(scope, plan);
    }
}
