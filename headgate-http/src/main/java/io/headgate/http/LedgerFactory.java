package io.headgate.http;

import io.headgate.FailurePolicy;
import io.headgate.Headgate;
import io.headgate.Ledger;
import io.headgate.Plan;

/** Binds the plans of rules to the store. */
@FunctionalInterface
public interface LedgerFactory {

    /**
     * Binds a plan to a scope. Permits that were spent in the scope before stay spent.
     *
     * @throws IllegalArgumentException if the store cannot keep the plan
     */
    Ledger bind(String scope, Plan plan, FailurePolicy onStoreFailure);

    /**
     * Binds to the store of {@code headgate}. Only a guarded store applies the failure policy itself; the failures of any other store
     * reach the gate, which then applies it.
     */
    static LedgerFactory of(Headgate headgate) {
        return (scope, plan, policy) -> headgate.guard().isPresent()
                ? headgate.store(policy).bind(scope, plan)
                : headgate.store().bind(scope, plan);
    }
}
