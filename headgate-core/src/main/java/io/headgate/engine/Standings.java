package io.headgate.engine;

import io.headgate.Decision;
import io.headgate.Standing;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Derives decisions from the standings of a plan's limits, in the plan's order. Every store decides with these methods. */
public final class Standings {

    private Standings() {}

    /** The decision on a cost that exceeds the capacity of some limit, or {@code null} if it exceeds none. */
    public static Decision.@Nullable Impossible impossible(List<Standing> standings, long cost) {
        for (Standing standing : standings) {
            if (cost > standing.limit().burst()) {
                return new Decision.Impossible(
                        standing.limit(), least(standings).remaining(), longestReset(standings), standings);
            }
        }
        return null;
    }

    /** How long the request has to wait until all limits allow it. */
    public static long longestWait(List<Standing> standings) {
        return slowest(standings).retryAfterMicros();
    }

    /** The denial by the limit with the longest wait. */
    public static Decision.Denied denied(List<Standing> standings) {
        Standing longest = slowest(standings);
        return new Decision.Denied(
                longest.limit(),
                least(standings).remaining(),
                longest.retryAfterMicros(),
                longestReset(standings),
                standings);
    }

    /**
     * The grant; its deciding limit is the one with the least left.
     *
     * @param stamp what the store needs to take the charge back; {@code null} when nothing was charged
     */
    public static Grant allowed(
            List<Standing> standings, String subject, long cost, long delayMicros, @Nullable Object stamp) {
        return new ComputedGrant(standings, subject, cost, delayMicros, stamp);
    }

    private static Standing slowest(List<Standing> standings) {
        Standing slowest = standings.get(0);
        for (Standing standing : standings) {
            slowest = standing.retryAfterMicros() > slowest.retryAfterMicros() ? standing : slowest;
        }
        return slowest;
    }

    static Standing least(List<Standing> standings) {
        Standing least = standings.get(0);
        for (Standing standing : standings) {
            least = standing.remaining() < least.remaining() ? standing : least;
        }
        return least;
    }

    static long longestReset(List<Standing> standings) {
        long longest = 0;
        for (Standing standing : standings) {
            longest = Math.max(longest, standing.resetAfterMicros());
        }
        return longest;
    }
}
