package io.headgate.http;

import io.headgate.FailurePolicy;
import io.headgate.Ledger;
import io.headgate.Plan;
import io.headgate.RateLimiter;
import io.headgate.TimeSource;
import io.headgate.engine.LedgerLimiter;

/** A plan in the scope of a rule, and what subjects have spent of it. */
record Budget(String scope, Plan plan, Ledger ledger) {

    static Budget of(String scope, Plan plan, FailurePolicy onStoreFailure, LedgerFactory ledgers) {
        return new Budget(scope, plan, ledgers.bind(scope, plan, onStoreFailure));
    }

    /** A limiter on this budget, for inspection and administration. */
    RateLimiter limiter() {
        return new LedgerLimiter(scope, plan, ledger, TimeSource.system());
    }
}
