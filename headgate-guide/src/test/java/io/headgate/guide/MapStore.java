package io.headgate.guide;

import io.headgate.Algorithms;
import io.headgate.BoundPlan;
import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.KeyState;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Store;
import io.headgate.TimeSource;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

// snippet
/** Keeps everything in a map, for ever. */
final class MapStore implements Store {

    private final Algorithms algorithms;
    private final TimeSource time;
    private final ConcurrentHashMap<Key, Answered> keys = new ConcurrentHashMap<>();

    private record Answered(KeyState held, Decision answer) {}

    MapStore(Algorithms algorithms, TimeSource time) {
        this.algorithms = algorithms;
        this.time = time;
    }

    @Override
    public void check(Plan plan) {
        algorithms.check(plan);
    }

    @Override
    public Decision apply(Key key, Plan plan, Operation operation) {
        // The map lets in one caller per key at a time, and the time is read inside: no state or time is stale.
        return keys.compute(key, (same, last) -> next(last, plan, key.subject(), operation)).answer;
    }

    private Answered next(@Nullable Answered last, Plan plan, String subject, Operation operation) {
        long now = time.nowMicros();
        KeyState held = held(last, plan, now);
        BoundPlan boundPlan = held.boundPlan();
        Object state = held.state();
        if (operation instanceof Operation.Take take) {
            Decision decision = boundPlan.take(state, subject, take.cost(), take.maxWaitMicros(), now);
            return decision instanceof Decision.Allowed granted && granted.stamp() != null
                    ? new Answered(held.with(granted.stamp()), decision)
                    : new Answered(held.with(boundPlan.rebase(state, now)), decision);
        }
        if (operation instanceof Operation.Reset) {
            held = held.reset(now);
            state = held.state();
        } else if (operation instanceof Operation.Refund refund) {
            state = refunded(boundPlan, state, refund.receipt(), now);
        }
        long cost = operation instanceof Operation.Peek peek ? peek.cost() : 1;
        return new Answered(held.with(state), boundPlan.peek(state, subject, cost, now));
    }

    private KeyState held(@Nullable Answered last, Plan plan, long now) {
        if (last == null) {
            return KeyState.fresh(new BoundPlan(plan, algorithms), now);
        }
        return last.held.boundPlan().plan().equals(plan)
                ? last.held
                : last.held.under(new BoundPlan(plan, algorithms), now); // another plan, same spending
    }

    private static Object refunded(BoundPlan boundPlan, Object state, Decision.Allowed receipt, long now) {
        Object charged = receipt.stamp();
        long cost = receipt.claimRefund(); // 0 from the second time on
        return charged == null || cost == 0 ? state : boundPlan.refund(state, receipt, charged, cost, now);
    }
}
// end
