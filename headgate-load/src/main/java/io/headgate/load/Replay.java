package io.headgate.load;

import io.headgate.engine.Grant;

import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.engine.BoundPlan;
import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.load.Recorder.Seen;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * Replays recorded requests one after the other against the bare algorithm and compares the decisions.
 *
 * <p>Threads may overtake each other between reading the time and writing the state, so grants are replayed in two orders: by the
 * time they read, and in the order in which they wrote the state of a bucket. In the second order each grant puts off the time
 * at which the budget is full again, and none is replayed at an earlier time than the one before. A denial is right if it fits
 * any of the states that existed between its reading of the time and its return.
 */
final class Replay {

    private final BoundPlan boundPlan;
    private final Limit limit;
    private final List<Seen> seen;

    Replay(Plan plan, List<Seen> seen) {
        this.boundPlan = new BoundPlan(plan, Headgate.algorithms());
        this.limit = plan.limits().get(0);
        this.seen = seen;
    }

    /** The decisions that differ from those of the reference in both orders. */
    List<String> differences() {
        IdentityHashMap<Seen, Decision> differences = differences(Seen::atMicros);
        differences.keySet().retainAll(differences(asWritten()::get).keySet());
        return differences.entrySet().stream()
                .map(each -> each.getKey() + " is not " + each.getValue())
                .toList();
    }

    private IdentityHashMap<Seen, Long> asWritten() {
        IdentityHashMap<Seen, Long> times = new IdentityHashMap<>();
        long latest = 0;
        for (Seen each : seen.stream()
                .filter(Seen::allowed)
                .sorted(Comparator.comparingLong(Seen::fullMicros))
                .toList()) {
            latest = Math.max(latest, each.atMicros());
            times.put(each, latest);
        }
        return times;
    }

    private IdentityHashMap<Seen, Decision> differences(ToLongFunction<Seen> granted) {
        List<Seen> grants = seen.stream()
                .filter(Seen::allowed)
                .sorted(Comparator.comparingLong(granted))
                .toList();
        IdentityHashMap<Seen, Decision> differences = new IdentityHashMap<>();
        List<Object> states = new ArrayList<>();
        states.add(boundPlan.fresh(seen.stream().mapToLong(Seen::atMicros).min().orElse(0)));
        for (Seen each : grants) {
            Object before = states.get(states.size() - 1);
            Decision reference = boundPlan.take(boundPlan.copy(before), "hot", 1, 0, granted.applyAsLong(each));
            if (reference instanceof Grant taken && taken.stamp() != null) {
                states.add(taken.stamp());
            } else {
                differences.put(each, reference);
                states.add(before);
            }
        }
        for (Seen each : seen) {
            if (!each.allowed()) {
                int from = count(grants, grant -> grant.doneMicros() <= each.atMicros());
                int to = count(grants, grant -> granted.applyAsLong(grant) <= each.doneMicros());
                Decision answer = peek(states.get(from), each);
                for (int i = from + 1; i <= to && answer.allowed(); i++) {
                    answer = isLater(states.get(i), each) ? answer : peek(states.get(i), each);
                }
                if (answer.allowed()) {
                    differences.put(each, answer);
                }
            }
        }
        return differences;
    }

    private Decision peek(Object state, Seen request) {
        return boundPlan.peek(boundPlan.copy(state), "hot", 1, request.atMicros());
    }

    /** Whether the state is later than the request: a store that finds such a state reads the time again. */
    private boolean isLater(Object state, Seen request) {
        return boundPlan.rebase(state, request.atMicros()) != state;
    }

    /** How many grants from the beginning of the list satisfy the condition without a gap. */
    private static int count(List<Seen> grants, Predicate<Seen> so) {
        return (int) grants.stream().takeWhile(so).count();
    }

    /** The largest number of requests that were allowed in any interval as long as the window. */
    int mostInAWindow() {
        long[] times = seen.stream()
                .filter(Seen::allowed)
                .mapToLong(Seen::atMicros)
                .sorted()
                .toArray();
        int most = 0;
        int from = 0;
        for (int to = 0; to < times.length; to++) {
            while (times[to] - times[from] >= limit.periodMicros()) {
                from++;
            }
            most = Math.max(most, to - from + 1);
        }
        return most;
    }

    /** The largest number of requests that the algorithm may allow in such an interval. */
    long bound() {
        long n = limit.permits();
        return switch (limit.algorithm()) {
            case "token-bucket", "fixed-window" -> 2 * n;
            case "sliding-window-counter" -> 2 * n - 1;
            default -> n;
        };
    }
}
