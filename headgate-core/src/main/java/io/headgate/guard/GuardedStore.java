package io.headgate.guard;

import io.headgate.Algorithms;
import io.headgate.FailurePolicy;
import io.headgate.Ledger;
import io.headgate.Plan;
import io.headgate.Store;

/** A store behind its guard, with one policy for all its ledgers. */
record GuardedStore(Guard guard, FailurePolicy policy) implements Store {

    @Override
    public Ledger bind(String scope, Plan plan) {
        return guard.bind(scope, plan, policy);
    }

    @Override
    public Algorithms algorithms() {
        return guard.algorithms();
    }

    @Override
    public boolean blocks() {
        return false;
    }
}
