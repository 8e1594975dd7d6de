package io.headgate.guide;

import io.headgate.Algorithms;
import io.headgate.Decision;
import io.headgate.Held;
import io.headgate.Judge;
import io.headgate.Key;
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

    private record Answered(Held held, Decision answer) {}

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
        Held held = held(last, plan, now);
        Judge judge = held.judge();
        Object state = held.state();
        if (operation instanceof Operation.Take take) {
            Decision decision = judge.take(state, subject, take.cost(), take.maxWaitMicros(), now);
            return decision instanceof Decision.Allowed granted && granted.stamp() != null
                    ? new Answered(held.with(granted.stamp()), decision)
                    : new Answered(held.with(judge.rebase(state, now)), decision);
        }
        if (operation instanceof Operation.Reset) {
            held = held.reset(now);
            state = held.state();
        } else if (operation instanceof Operation.Refund refund) {
            state = refunded(judge, state, refund.receipt(), now);
        }
        long cost = operation instanceof Operation.Peek peek ? peek.cost() : 1;
        return new Answered(held.with(state), judge.peek(state, subject, cost, now));
    }

    private Held held(@Nullable Answered last, Plan plan, long now) {
        if (last == null) {
            return Held.fresh(new Judge(plan, algorithms), now);
        }
        return last.held.judge().plan().equals(plan)
                ? last.held
                : last.held.under(new Judge(plan, algorithms), now); // another plan, same spending
    }

    private static Object refunded(Judge judge, Object state, Decision.Allowed receipt, long now) {
        Object charged = receipt.stamp();
        long cost = receipt.claimRefund(); // 0 from the second time on
        return charged == null || cost == 0 ? state : judge.refund(state, receipt, charged, cost, now);
    }
}
// end
