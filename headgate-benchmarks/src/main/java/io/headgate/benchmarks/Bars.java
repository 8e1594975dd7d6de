package io.headgate.benchmarks;

import static io.headgate.benchmarks.Contender.BUCKET4J;
import static io.headgate.benchmarks.Contender.FIXED_WINDOW;
import static io.headgate.benchmarks.Contender.RESILIENCE4J_REMAINING;
import static io.headgate.benchmarks.Contender.TOKEN_BUCKET;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The performance targets of Headgate and whether a run meets them; {@code null} if the run did not measure enough to tell. */
final class Bars {

    private static final double OTHER_ALGORITHMS = 2;
    private static final double BYTES_PER_DECISION = 72;
    private static final double HEAP_PER_KEY = 120;

    private final Figures figures;

    Bars(Figures figures) {
        this.figures = figures;
    }

    /** The longest time that a decision may take, as a multiple of the floor. */
    double mostTimesTheFloor(Scenario scenario, Contender ours) {
        return main(ours) ? scenario.bar : OTHER_ALGORITHMS;
    }

    @Nullable
    Boolean nearFloor(Scenario scenario, Contender ours) {
        Spread ratio = figures.ratio(scenario, ours);
        return ratio == null ? null : ratio.median() <= mostTimesTheFloor(scenario, ours);
    }

    /** Whether Headgate is faster than a peer that also reports the remaining permits, or not slower, beyond noise, than any other. */
    @Nullable
    Boolean holdsAgainst(Scenario scenario, Contender ours, Contender peer) {
        Spread ratio = figures.ratio(scenario, ours);
        Spread theirs = figures.ratio(scenario, peer);
        if (ratio == null || theirs == null) {
            return null;
        }
        return Set.of(BUCKET4J, RESILIENCE4J_REMAINING).contains(peer)
                ? ratio.median() < theirs.median()
                : ratio.low() <= theirs.high();
    }

    /** Rounds the bytes: the profiler counts the whole process, so a few bytes in a million decisions come from elsewhere. */
    @Nullable
    Boolean allocatesLittle(Scenario scenario, Contender ours) {
        Spread bytes = figures.bytes(scenario, ours);
        Spread peers = scenario.severalLimits() ? figures.bytes(scenario, BUCKET4J) : null;
        double most = peers == null ? BYTES_PER_DECISION : peers.median();
        return (bytes == null || !main(ours)) ? null : Math.round(bytes.median()) <= most;
    }

    @Nullable
    Boolean keepsLittle(Contender ours) {
        Double heap = figures.heapPerKey(ours);
        return (heap == null || !main(ours)) ? null : heap <= HEAP_PER_KEY;
    }

    private static boolean main(Contender ours) {
        return ours == TOKEN_BUCKET || ours == FIXED_WINDOW;
    }
}
