package io.headgate.guide;

import io.headgate.Algorithms;
import io.headgate.Decision;
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
    private final ConcurrentHashMap<Key, Held> keys = new ConcurrentHashMap<>();

    private record Held(Judge judge, Object state, Decision answer) {}

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
        // The map lets one caller at a time at a key, and the time is read there: nobody computes from an old state.
        return keys.compute(key, (same, held) -> next(held, plan, key.subject(), operation)).answer;
    }

    private Held next(@Nullable Held held, Plan plan, String subject, Operation operation) {
        long now = time.nowMicros();
        Judge judge = held != null && held.judge.plan().equals(plan) ? held.judge : new Judge(plan, algorithms);
        Object state = held == null
                ? judge.fresh(now)
                : held.judge == judge
                        ? held.state
                        : judge.carry(held.judge, held.state, now); // another plan, same spending
        if (operation instanceof Operation.Take take) {
            Decision decision = judge.take(state, subject, take.cost(), take.maxWaitMicros(), now);
            return decision instanceof Decision.Allowed granted && granted.stamp() != null
                    ? new Held(judge, granted.stamp(), decision)
                    : new Held(judge, judge.rebase(state, now), decision);
        }
        if (operation instanceof Operation.Reset) {
            state = judge.fresh(now);
        } else if (operation instanceof Operation.Refund refund) {
            state = refunded(judge, state, refund.receipt(), now);
        }
        long cost = operation instanceof Operation.Peek peek ? peek.cost() : 1;
        return new Held(judge, state, judge.peek(state, subject, cost, now));
    }

    private static Object refunded(Judge judge, Object state, Decision.Allowed receipt, long now) {
        Object charged = receipt.stamp();
        long cost = receipt.claimRefund(); // 0 from the second time on
        return charged == null || cost == 0 ? state : judge.refund(state, receipt, charged, cost, now);
    }
}
// end
