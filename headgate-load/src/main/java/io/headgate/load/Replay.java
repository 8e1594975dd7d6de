package io.headgate.load;

import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.Judge;
import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.load.Recorder.Seen;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The same requests once more, one after the other, decided by the algorithm with nothing around it. Grants come in the order of
 * their times. A denial comes when it was known: by then all that it had taken into account had been granted.
 */
final class Replay {

    private final Judge judge;
    private final Limit limit;
    private final List<Seen> seen;

    Replay(Plan plan, List<Seen> seen) {
        this.judge = new Judge(plan, Headgate.algorithms());
        this.limit = plan.limits().get(0);
        this.seen = seen.stream()
                .sorted(Comparator.comparingLong(Replay::turn).thenComparing(each -> !each.admitted()))
                .toList();
    }

    private static long turn(Seen each) {
        return each.admitted() ? each.atMicros() : each.doneMicros();
    }

    /** What the reference would have answered otherwise. */
    List<String> differences() {
        List<String> differences = new ArrayList<>();
        Object state = judge.fresh(seen.get(0).atMicros());
        for (Seen each : seen) {
            Decision reference = each.admitted()
                    ? judge.take(state, "hot", 1, 0, each.atMicros())
                    : judge.peek(judge.copy(state), "hot", 1, each.atMicros());
            if (reference.allowed() != each.admitted()) {
                differences.add(each + " is not " + reference);
            }
            if (each.admitted() && reference instanceof Decision.Allowed granted && granted.stamp() != null) {
                state = granted.stamp();
            }
        }
        return differences;
    }

    /** The most that were admitted in any interval as long as the window. */
    int mostInAWindow() {
        long[] times =
                seen.stream().filter(Seen::admitted).mapToLong(Seen::atMicros).toArray();
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

    /** The most that the algorithm may admit there. */
    long bound() {
        long n = limit.permits();
        return switch (limit.algorithm()) {
            case "token-bucket", "fixed-window" -> 2 * n;
            case "sliding-window-counter" -> 2 * n - 1;
            default -> n;
        };
    }
}
