package io.headgate.testkit;

import io.headgate.Algorithms;
import io.headgate.Decision;
import io.headgate.Held;
import io.headgate.Judge;
import io.headgate.Key;
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
    private final Map<Key, Held> keys = new HashMap<>();

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
        Held held = held(key, plan, now);
        Judge judge = held.judge();
        if (operation instanceof Operation.Take take) {
            Decision decision = judge.take(held.state(), key.subject(), take.cost(), take.maxWaitMicros(), now);
            Object stamp = decision instanceof Decision.Allowed granted ? granted.stamp() : null;
            keys.put(key, held.with(stamp != null ? stamp : judge.rebase(held.state(), now)));
            return decision;
        }
        Object state = held.state();
        if (operation instanceof Operation.Refund refund) {
            Decision.Allowed receipt = refund.receipt();
            Object charged = receipt.stamp();
            long cost = receipt.claimRefund();
            state = charged == null || cost == 0 ? state : judge.refund(state, receipt, charged, cost, now);
        } else if (operation instanceof Operation.Reset) {
            held = held.reset(now);
            state = held.state();
        }
        keys.put(key, held.with(state));
        return judge.peek(state, key.subject(), operation instanceof Operation.Peek peek ? peek.cost() : 1, now);
    }

    private Held held(Key key, Plan plan, long now) {
        Held held = keys.get(key);
        if (held != null && held.judge().plan().equals(plan)) {
            return held;
        }
        Judge judge = new Judge(plan, algorithms);
        return held == null ? Held.fresh(judge, now) : held.under(judge, now);
    }
}
