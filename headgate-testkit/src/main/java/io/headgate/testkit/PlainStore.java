package io.headgate.testkit;

import io.headgate.Algorithms;
import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Ledger;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Store;
import io.headgate.TimeSource;
import io.headgate.engine.BoundPlan;
import io.headgate.engine.KeyState;
import java.util.HashMap;
import java.util.Map;

/** The reference store with which every other store must agree: one operation at a time, and no key is ever removed. */
final class PlainStore implements Store {

    private final Algorithms algorithms;
    private final TimeSource time;
    private final Map<Key, KeyState> keys = new HashMap<>();

    PlainStore(Algorithms algorithms, TimeSource time) {
        this.algorithms = algorithms;
        this.time = time;
    }

    @Override
    public Ledger bind(String scope, Plan plan) {
        BoundPlan boundPlan = new BoundPlan(plan, algorithms);
        return (subject, operation) -> apply(new Key(scope, subject), boundPlan, operation);
    }

    private synchronized Decision apply(Key key, BoundPlan boundPlan, Operation operation) {
        long now = time.nowMicros();
        KeyState kept = keys.get(key);
        KeyState state = kept == null ? KeyState.fresh(boundPlan, now) : kept.under(boundPlan, now);
        KeyState.Step step = state.apply(operation, key.subject(), now);
        keys.put(key, step.next());
        return step.decision();
    }

    @Override
    public Algorithms algorithms() {
        return algorithms;
    }

    @Override
    public boolean inProcess() {
        return true;
    }
}
