package io.headgate.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Algorithm;
import io.headgate.Limit;
import io.headgate.Window;
import io.headgate.engine.EngineAlgorithm;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Generates the states for the {@link AlgorithmContract}: random walks under every limit that the algorithm accepts. */
abstract class RandomAlgorithmSequences<S> {

    static final long START = new ManualTime().nowMicros();

    /** Walks end before the year 2100. */
    static final long HORIZON = 4_102_444_800_000_000L;

    /** Fifty years. Longer waits count as equal, because {@link Algorithm#waitMicros} may cut them. */
    static final long AGES = 50 * 366 * 86_400_000_000L;

    static final long[] PERIODS = {
        1_000, 1_500, 7_001, 999_999, 1_000_000, 60_000_000, 3_600_000_000L, 86_400_000_000L, 366 * 86_400_000_000L
    };

    static final long[] PERMITS = {1, 2, 3, 7, 10, 100, 10_000, 1_000_003, Limit.MOST};

    /** The algorithm under test. */
    protected abstract Algorithm<S> algorithm();

    /** The limits to try: every period with every number of permits and some bursts, except those that the algorithm rejects. */
    protected List<Limit> limits() {
        List<Limit> limits = new ArrayList<>();
        for (long period : PERIODS) {
            for (long permits : PERMITS) {
                Limit limit = Limit.of(permits)
                        .per(new Window.Span(period))
                        .using(algorithm().id());
                for (long burst : new long[] {permits, 1, 5, Limit.MOST}) {
                    limits.add(limit.burst(burst));
                }
            }
        }
        return limits.stream().distinct().filter(this::accepts).toList();
    }

    /** A property that must hold for every state that a walk reaches under a limit. */
    interface Promise<S> {
        void check(Limit limit, S state, long nowMicros, Random random);
    }

    void walk(Promise<S> promise) {
        Random random = Seeds.random(getClass());
        for (Limit limit : limits()) {
            for (int round = Seeds.rounds(1); round > 0; round--) {
                walk(limit, random, promise);
            }
        }
    }

    private void walk(Limit limit, Random random, Promise<S> promise) {
        long now = START - random.nextInt(1_000_000_000);
        S state = algorithm().fresh(limit, now);
        for (int step = 0; step < 16 && now < HORIZON; step++) {
            state = algorithm().rebase(state, limit, now);
            check(promise, limit, state, now, random);
            long cost = someCost(limit, state, now, random);
            if (wait(state, limit, cost, now) == 0) {
                state = algorithm().take(state, limit, cost, now);
                check(promise, limit, state, now, random);
            }
            now += someTime(limit, state, now, random);
        }
    }

    private void check(Promise<S> promise, Limit limit, S state, long now, Random random) {
        try {
            promise.check(limit, state, now, random);
        } catch (AssertionError | RuntimeException e) {
            String where = limit + " at " + now + " in the state "
                    + Arrays.toString(algorithm().encode(state));
            throw new AssertionError(where + ": " + e.getMessage(), e);
        }
    }

    long someCost(Limit limit, S state, long now, Random random) {
        long remaining = remaining(state, limit, now);
        long cost = switch (random.nextInt(6)) {
            case 0 -> limit.burst();
            case 1 -> remaining;
            case 2 -> remaining + 1;
            case 3 -> 1 + (long) (random.nextDouble() * limit.burst());
            case 4 -> 1 + (long) (random.nextDouble() * remaining);
            default -> 1;
        };
        return Math.max(1, Math.min(cost, limit.burst()));
    }

    long someTime(Limit limit, S state, long now, Random random) {
        long period = limit.periodMicros();
        long time = switch (random.nextInt(10)) {
            case 0 -> 0;
            case 1 -> 1;
            case 2 -> 1 + (long) (random.nextDouble() * 2 * period / limit.permits());
            case 3 -> (long) (random.nextDouble() * period / 3);
            case 4 -> (long) (random.nextDouble() * 2 * period);
            case 5 -> period - random.nextInt(2);
            case 6 -> wait(state, limit, someCost(limit, state, now, random), now);
            case 7 -> wait(state, limit, limit.burst(), now) - 1;
            case 8 -> complete().fullAtMicros(state, limit, now) - now - random.nextInt(2);
            default -> (long) (random.nextDouble() * 100 * period);
        };
        return Math.max(0, Math.min(time, HORIZON - now));
    }

    /** Asserts that both states give the same answers to the same requests from the given time on. */
    void assertSameFromNowOn(S one, S other, Limit limit, long nowMicros, Random random) {
        S left = algorithm().rebase(copy(one), limit, nowMicros);
        S right = algorithm().rebase(copy(other), limit, nowMicros);
        long now = nowMicros;
        for (int step = 0; step < 4 && now < HORIZON; step++) {
            for (long cost : new long[] {1, limit.burst(), someCost(limit, right, now, random)}) {
                assertThat(Math.min(AGES, wait(left, limit, cost, now)))
                        .as("the wait for %d at %d, %d us later", cost, now, now - nowMicros)
                        .isEqualTo(Math.min(AGES, wait(right, limit, cost, now)));
            }
            assertThat(remaining(left, limit, now)).as("at %d", now).isEqualTo(remaining(right, limit, now));
            assertThat(fullAfter(left, limit, now))
                    .as("the time to a full budget at %d", now)
                    .isEqualTo(fullAfter(right, limit, now));
            long cost = Math.min(remaining(right, limit, now), someCost(limit, right, now, random));
            if (cost > 0) {
                left = algorithm().take(left, limit, cost, now);
                right = algorithm().take(right, limit, cost, now);
            }
            now += someTime(limit, right, now, random);
            left = algorithm().rebase(left, limit, now);
            right = algorithm().rebase(right, limit, now);
        }
    }

    long wait(S state, Limit limit, long cost, long now) {
        S sound = algorithm().rebase(copy(state), limit, now);
        return algorithm().waitMicros(sound, limit, cost, now);
    }

    long remaining(S state, Limit limit, long now) {
        return complete().remaining(algorithm().rebase(copy(state), limit, now), limit, now);
    }

    long fullAfter(S state, Limit limit, long now) {
        return Math.min(AGES, Math.max(0, complete().fullAtMicros(state, limit, now) - now));
    }

    S take(S state, Limit limit, long cost, long now) {
        return algorithm().take(algorithm().rebase(copy(state), limit, now), limit, cost, now);
    }

    S refund(S state, S charged, Limit limit, long cost, long now) {
        S sound = algorithm().rebase(copy(state), limit, now);
        return algorithm().refund(sound, charged, limit, cost, now);
    }

    /** A copy of the state whose successors do not write into the given one. */
    S copy(S state) {
        return algorithm().decode(algorithm().encode(state));
    }

    /** The algorithm as the engine sees it. */
    final EngineAlgorithm<S> complete() {
        return EngineAlgorithm.of(algorithm());
    }

    boolean accepts(Limit limit) {
        try {
            complete().check(limit);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
