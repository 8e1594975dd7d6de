package io.headgate.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.FailurePolicy;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.StoreException.Reason;
import io.headgate.testkit.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Four instances, and a store that fails, keeps silent and comes back at any time: in every interval of length W at most what the
 * store granted and the shares of all four pass, each times what its algorithm allows. Known bug R8.
 */
class OutageBoundTest extends GuardFixture {

    private static final int INSTANCES = 4;
    private static final long WINDOW_MICROS = 12_000_000;

    /** What one budget may allow in an interval of one window, however it is placed. */
    enum Promise {
        TOKEN_BUCKET("token-bucket", limit -> limit.burst() + limit.permits()),
        LEAKY_BUCKET("leaky-bucket", Limit::permits),
        FIXED_WINDOW("fixed-window", limit -> 2 * limit.permits()),
        SLIDING_WINDOW_LOG("sliding-window-log", Limit::permits),
        SLIDING_WINDOW_COUNTER("sliding-window-counter", limit -> Math.max(1, 2 * limit.permits() - 1)),
        SLIDING_WINDOW("sliding-window", Limit::permits);

        private final String algorithm;

        @SuppressWarnings("ImmutableEnumChecker") // these functions are
        private final ToLongFunction<Limit> most;

        Promise(String algorithm, ToLongFunction<Limit> most) {
            this.algorithm = algorithm;
            this.most = most;
        }

        Limit limit(long permits) {
            return Limit.of(permits)
                    .per(Duration.ofNanos(WINDOW_MICROS * 1_000))
                    .using(algorithm);
        }

        long most(long permits) {
            return most.applyAsLong(limit(permits));
        }
    }

    /** One request that was allowed. */
    private record Grant(long atMicros, boolean byTheStore) {}

    private final List<Grant> grants = new ArrayList<>();

    @ParameterizedTest
    @EnumSource
    void holdsOverTheBeginningAndTheEndOfAnOutage(Promise promise) {
        Random random = Seeds.random(getClass());
        List<Grant> seen = new ArrayList<>();
        settings = settings.instances(INSTANCES);
        for (int round = 0; round < Seeds.rounds(20); round++) {
            long permits = List.of(4L, 8L, 12L, 40L).get(random.nextInt(4));
            grants.clear();
            store.work();
            time.advanceMicros(10 * WINDOW_MICROS); // what earlier rounds spent is there again
            live(promise.limit(permits), random);

            long share = promise.most(permits / INSTANCES);
            assertAtMost(promise.most(permits), Grant::byTheStore, "by the store");
            assertAtMost(INSTANCES * share, each -> !each.byTheStore, "in process");
            assertAtMost(promise.most(permits) + INSTANCES * share, each -> true, "in all");
            seen.addAll(grants);
        }
        assertThat(seen).anyMatch(Grant::byTheStore).anyMatch(each -> !each.byTheStore);
    }

    /** Windows of good times, of one outage, and of good times again; everybody is greedy all the while. */
    private void live(Limit limit, Random random) {
        List<Guard> instances = List.of(guard(), guard(), guard(), guard());
        long start = time.nowMicros();
        long begin = start + (long) (random.nextDouble() * 2 * WINDOW_MICROS);
        long end = begin + WINDOW_MICROS / 4 + (long) (random.nextDouble() * 3 * WINDOW_MICROS);
        boolean silent = random.nextBoolean();
        boolean failing = false;
        while (time.nowMicros() < end + 2 * WINDOW_MICROS) {
            if (!failing && time.nowMicros() >= begin && time.nowMicros() < end) {
                failing = true;
                if (silent) {
                    store.keepSilent();
                } else {
                    store.failWith(Reason.UNREACHABLE);
                }
            } else if (failing && time.nowMicros() >= end) {
                failing = false;
                store.answerAtLast();
            }
            int requests = random.nextInt(8);
            for (int i = 0; i < requests; i++) {
                ask(instances.get(random.nextInt(INSTANCES)), Plan.of(limit));
            }
            time.advanceMicros(random.nextInt((int) (WINDOW_MICROS / limit.permits() / 2)));
        }
    }

    /** An answer that the deadline has to bring counts from when it came. */
    private void ask(Guard guard, Plan plan) {
        CompletableFuture<Decision> answer =
                guard.store(FailurePolicy.LOCAL).bind(KEY.scope(), plan).applyAsync(KEY.subject(), Operation.ONE);
        answer.thenAccept(decision -> {
            if (decision.allowed()) {
                grants.add(new Grant(time.nowMicros(), !decision.degraded()));
            }
        });
    }

    private void assertAtMost(long bound, Predicate<Grant> which, String how) {
        List<Long> times = grants.stream().filter(which).map(Grant::atMicros).toList();
        int first = 0;
        for (int last = 0; last < times.size(); last++) { // the times are in order
            while (times.get(last) - times.get(first) >= WINDOW_MICROS) {
                first++;
            }
            assertThat(last - first + 1).as("allowed %s in one W", how).isLessThanOrEqualTo((int) bound);
        }
    }
}
