package io.headgate.redis.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.redis.Seeds;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What is promised of prefetched permits: in every interval that is shorter than W by as long as they are good, no more is
 * allowed than the algorithm allows in W.
 */
class PrefetchingBoundTest {

    private static final int STEPS = 1_500;

    @ParameterizedTest
    @CsvSource({
        "sliding-window-log, 400/s, 400",
        "sliding-window, 400/s, 400",
        "sliding-window-counter, 400/s, 799",
        "fixed-window, 400/s, 800",
        "token-bucket, 400/s, 800",
        "token-bucket, 400/s burst 100, 500"
    })
    void allowsNoMoreInAnyIntervalThatIsShorter(String algorithm, String text, int most) {
        Plan plan = Plan.of(Limit.parse(text).using(algorithm));
        long period = plan.limits().get(0).periodMicros() * 1_000;
        int prefetched = 0;
        for (int round = 0; round < Seeds.rounds(20); round++) {
            long seed = Seeds.next();
            PrefetchingFixture fixture = new PrefetchingFixture();
            List<Long> used = ask(fixture, plan, new Random(seed), period);
            Deque<Long> interval = new ArrayDeque<>();
            for (long at : used) {
                interval.add(at);
                while (at - interval.getFirst() >= period - PrefetchingFixture.LASTS.toNanos()) {
                    interval.remove();
                }
                assertThat(interval).as("-Dheadgate.seed=" + seed).hasSizeLessThanOrEqualTo(most);
            }
            prefetched += fixture.redis.calls.stream().anyMatch(call -> call.size() > 1) ? 1 : 0;
            fixture.redis.settle();
            fixture.advanceNanos(PrefetchingFixture.LASTS.toNanos() * 20);
            fixture.redis.settle();
            assertThat(fixture.prefetching.keys()).as("-Dheadgate.seed=" + seed).isZero();
        }
        assertThat(prefetched).isGreaterThan(0);
    }

    /** When requests were allowed. Greedy, around edges, with answers and alarms that take their time, and others who spend as well. */
    private static List<Long> ask(PrefetchingFixture fixture, Plan plan, Random random, long period) {
        FakeRedis redis = fixture.redis;
        List<Long> used = new ArrayList<>();
        fixture.advanceNanos(period - redis.nanos() % period - random.nextInt(20_000_000));
        for (int step = 0; step < STEPS; step++) {
            redis.holds = random.nextInt(4) == 0;
            CompletableFuture<Decision> answer = fixture.take(plan);
            answer.thenAccept(decision -> {
                if (decision.allowed()) {
                    used.add(redis.nanos());
                }
            });
            if (random.nextInt(50) == 0
                    && redis.apply(PrefetchingFixture.KEY, plan, Operation.ONE).allowed()) {
                used.add(redis.nanos());
            }
            long pause = switch (random.nextInt(20)) {
                case 0 -> random.nextInt(12_000_000);
                case 1 -> random.nextInt(10) == 0 ? period / 2 : 0;
                case 2 -> period - redis.nanos() % period > 5_000_000 || random.nextInt(4) > 0 ? 0 : 6_000_000;
                default -> random.nextInt(300_000);
            };
            if (random.nextInt(4) > 0) {
                fixture.advanceNanos(pause);
            } else {
                redis.advanceNanos(pause); // alarms ring late
            }
            redis.settle();
        }
        return used;
    }
}
