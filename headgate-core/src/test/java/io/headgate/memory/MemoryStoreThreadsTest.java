package io.headgate.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.EachAlgorithm;
import io.headgate.Headgate;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Seeds;
import io.headgate.Standing;
import io.headgate.TestTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Known bug A1: many threads, frozen time, exact counts. */
@Timeout(120)
class MemoryStoreThreadsTest {

    private static final int THREADS = 64;
    private static final int ASKS = Seeds.rounds(100);

    private final TestTime time = new TestTime("2026-03-01T00:00:00Z");
    private final MemoryStore store = new MemoryStore(Headgate.algorithms(), time, 100);
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    @AfterEach
    void endsWithTheRightCount() {
        threads.shutdownNow();
        assertThat(store.keys()).isEqualTo(store.cells());
    }

    private void together(IntConsumer action) throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            running.add(threads.submit(() -> {
                start.await();
                action.accept(number);
                return null;
            }));
        }
        start.countDown();
        for (Future<?> each : running) {
            each.get(100, TimeUnit.SECONDS);
        }
    }

    private Decision take(String subject, Plan plan) {
        return store.bind("api", plan).apply(subject, Operation.ONE);
    }

    /** Adds a key and makes it full again at once: something for the sweep, whoever comes next. */
    private void churn(Plan plan) {
        String subject = "churn " + ThreadLocalRandom.current().nextInt(1_000);
        if (take(subject, plan) instanceof Decision.Allowed granted) {
            store.bind("api", plan).apply(subject, new Operation.Refund(granted));
        }
    }

    @EachAlgorithm(except = "leaky-bucket")
    void grantsExactlyTheLimitToOneKey(String algorithm) throws Exception {
        Plan plan =
                Plan.of(Limit.of(THREADS * ASKS / 4).per(Duration.ofHours(1)).using(algorithm));
        AtomicLong granted = new AtomicLong();

        together(number -> {
            for (int i = 0; i < ASKS; i++) {
                granted.addAndGet(take("alice", plan).allowed() ? 1 : 0);
            }
        });

        assertThat(granted).hasValue(THREADS * ASKS / 4);
    }

    @EachAlgorithm(except = "leaky-bucket")
    void grantsExactlyTheLimitToEachOfManyKeysWhileOthersAreSweptAway(String algorithm) throws Exception {
        int keys = 16;
        Plan plan = Plan.of(
                Limit.of(THREADS * ASKS / keys / 2).per(Duration.ofHours(1)).using(algorithm));
        AtomicLong granted = new AtomicLong();
        for (int key = 0; key < keys; key++) {
            take("key " + key, plan); // has a cell of its own from the start
        }

        together(number -> {
            for (int i = 0; i < ASKS; i++) {
                granted.addAndGet(take("key " + (number + i) % keys, plan).allowed() ? 1 : 0);
                churn(plan);
            }
        });

        assertThat(granted.get() + keys).isEqualTo(keys * plan.limits().get(0).permits());
    }

    /** Known bug A3: of two limits both are charged or neither is. */
    @ParameterizedTest
    @ValueSource(strings = {"token-bucket", "sliding-window-log"})
    void chargesAllLimitsOfAPlanOrNone(String algorithm) throws Exception {
        Plan plan = Plan.of(
                Limit.parse("900/h"), Limit.parse("700/h").using(algorithm).named("tight"));
        AtomicLong granted = new AtomicLong();

        together(number -> {
            for (int i = 0; i < ASKS; i++) {
                granted.addAndGet(take("alice", plan).allowed() ? 1 : 0);
            }
        });

        assertThat(granted).hasValue(700);
        assertThat(store.bind("api", plan).apply("alice", Operation.PEEK).standings())
                .extracting(Standing::remaining)
                .containsExactly(200L, 0L);
    }

    /** Known bug A11: both plans are in use while one takes over from the other. */
    @EachAlgorithm(except = "leaky-bucket")
    void losesNoChargeWhilePlansAlternate(String algorithm) throws Exception {
        Plan less = Plan.of(Limit.parse("1000/h").using(algorithm));
        Plan more = Plan.of(Limit.parse("1600/h").using(algorithm));
        AtomicLong granted = new AtomicLong();

        together(number -> {
            for (int i = 0; i < ASKS; i++) {
                granted.addAndGet(
                        take("alice", (number + i) % 2 == 0 ? less : more).allowed() ? 1 : 0);
            }
        });

        assertThat(granted).hasValue(1600);
    }

    @ParameterizedTest
    @ValueSource(strings = {"token-bucket", "fixed-window", "sliding-window-log"})
    void losesNoChargeWhileOthersAreGivenBack(String algorithm) throws Exception {
        Plan plan = Plan.of(Limit.parse("5000/h").using(algorithm));
        AtomicLong kept = new AtomicLong();

        together(number -> {
            for (int i = 0; i < ASKS; i++) {
                if (take("alice", plan) instanceof Decision.Allowed granted) {
                    if (i % 2 == 0) {
                        kept.incrementAndGet();
                    } else {
                        store.bind("api", plan).apply("alice", new Operation.Refund(granted));
                    }
                }
            }
        });

        assertThat(store.bind("api", plan).apply("alice", Operation.PEEK).remaining())
                .isEqualTo(5000 - kept.get());
    }

    @Test
    void neverHoldsMoreThanItsRoomAndGivesAllOfItBack() throws Exception {
        int max = 1;
        KeyCapacity capacity = new KeyCapacity(max, new Sweep(dropped -> {}));
        AtomicInteger held = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();

        together(number -> {
            for (int i = 0; i < 50 * ASKS; i++) {
                if (capacity.take()) {
                    most.accumulateAndGet(held.incrementAndGet(), Math::max);
                    held.decrementAndGet();
                    capacity.giveBack();
                }
            }
        });

        assertThat(most.get()).isLessThanOrEqualTo(max);
        assertThat(capacity.taken()).isZero();
    }
}
