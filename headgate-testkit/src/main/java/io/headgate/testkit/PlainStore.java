package io.headgate.testkit;

import io.headgate.Algorithms;
import io.headgate.BoundPlan;
import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.KeyState;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Store;
import io.headgate.TimeSource;
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
    public void check(Plan plan) {
        algorithms.check(plan);
    }

    @Override
    public synchronized Decision apply(Key key, Plan plan, Operation operation) {
        long now = time.nowMicros();
        KeyState held = held(key, plan, now);
        BoundPlan boundPlan = held.boundPlan();
        if (operation instanceof Operation.Take take) {
            Decision decision = boundPlan.take(held.state(), key.subject(), take.cost(), take.maxWaitMicros(), now);
            Object stamp = decision instanceof Decision.Allowed granted ? granted.stamp() : null;
            keys.put(key, held.with(stamp != null ? stamp : boundPlan.rebase(held.state(), now)));
            return decision;
        }
        Object state = held.state();
        if (operation instanceof Operation.Refund refund) {
            Decision.Allowed receipt = refund.receipt();
            Object charged = receipt.stamp();
            long cost = receipt.claimRefund();
            state = charged == null || cost == 0 ? state : boundPlan.refund(state, receipt, charged, cost, now);
        } else if (operation instanceof Operation.Reset) {
            held = held.reset(now);
            state = held.state();
        }
        keys.put(key, held.with(state));
        return boundPlan.peek(state, key.subject(), operation instanceof Operation.Peek peek ? peek.cost() : 1, now);
    }

    private KeyState held(Key key, Plan plan, long now) {
        KeyState held = keys.get(key);
        if (held != null && held.boundPlan().plan().equals(plan)) {
            return held;
        }
        BoundPlan boundPlan = new BoundPlan(plan, algorithms);
        return held == null ? KeyState.fresh(boundPlan, now) : held.under(boundPlan, now);
    }
}
