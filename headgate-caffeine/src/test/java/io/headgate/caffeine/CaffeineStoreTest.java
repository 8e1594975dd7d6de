package io.headgate.caffeine;

import static io.headgate.testkit.DecisionAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.RateLimiter;
import io.headgate.Standing;
import io.headgate.testkit.ManualTime;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CaffeineStoreTest {

    private static final int MAX_KEYS = 100;

    private final ManualTime time = new ManualTime();
    private final CaffeineStore store = new CaffeineStore(Headgate.algorithms(), time, MAX_KEYS);
    private final Headgate headgate =
            Headgate.builder().store(store).timeSource(time).build();

    @Test
    void readsAsItsDocumentationSays() {
        Headgate headgate = Headgate.builder().store(new CaffeineStore(100_000)).build();
        RateLimiter limiter = headgate.limiter("api", Plan.parse("1/day"));
        assertThat(limiter.tryAcquire("alice")).isAllowed();
        assertThat(limiter.tryAcquire("alice")).isDenied();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"token-bucket", "fixed-window", "sliding-window-log", "sliding-window-counter", "sliding-window"
            })
    void grantsTheLimitAndNotOneMore(String algorithm) {
        RateLimiter limiter = limiter(Limit.parse("3/h").using(algorithm));
        assertThat(limiter.tryAcquire("alice")).isAllowed().hasRemaining(2);
        assertThat(limiter.tryAcquire("alice", 2)).isAllowed().hasRemaining(0);
        assertThat(limiter.tryAcquire("alice")).isDenied();
        assertThat(limiter.tryAcquire("bob")).isAllowed();
    }

    /** Known bug O8: a plan is kept by its ledger and by the keys last checked under it, and by nothing else. */
    @Test
    void keepsNoPlanForEver() {
        List<WeakReference<Plan>> plans = new ArrayList<>();
        for (int n = 1; n <= 100; n++) {
            Plan plan = Plan.parse(10_000 + n + "/h");
            plans.add(new WeakReference<>(plan));
            store.bind("api", plan).apply("alice", Operation.ONE);
        }
        for (int i = 0;
                i < 100 && plans.stream().filter(plan -> plan.get() != null).count() > 1;
                i++) {
            System.gc();
        }

        assertThat(plans.stream().filter(plan -> plan.get() != null)).hasSizeLessThanOrEqualTo(1);
        assertThat(limiter(Limit.parse("20000/h")).peek("alice")).isAllowed().hasRemaining(19_900);
    }

    @Test
    void peekSpendsNothingAndHoldsNothing() {
        RateLimiter limiter = limiter(Limit.parse("2/h"));
        assertThat(limiter.peek("alice")).isAllowed().hasRemaining(2);
        assertThat(store.keys()).isZero();
        limiter.tryAcquire("alice");
        assertThat(limiter.peek("alice")).isAllowed().hasRemaining(1);
        assertThat(limiter.peek("alice")).isAllowed().hasRemaining(1);
    }

    @Test
    void refundTakesBackOneChargeOnce() {
        RateLimiter limiter = limiter(Limit.parse("5/h"));
        Decision.Allowed receipt = (Decision.Allowed) limiter.tryAcquire("alice", 3);
        limiter.refund(receipt);
        assertThat(limiter.peek("alice")).hasRemaining(5);
        limiter.tryAcquire("alice", 3);
        limiter.refund(receipt);
        assertThat(limiter.peek("alice")).hasRemaining(2);
    }

    @Test
    void resetGivesTheFullBudgetBack() {
        RateLimiter limiter = limiter(Limit.parse("5/h"));
        limiter.tryAcquire("alice", 5);
        limiter.reset("alice");
        assertThat(limiter.tryAcquire("alice", 5)).isAllowed();
    }

    /** Known bug A11. */
    @Test
    void changedNumbersKeepWhatWasSpent() {
        limiter(Limit.parse("10/h")).tryAcquire("alice", 8);
        RateLimiter raised = limiter(Limit.parse("12/h"));
        RateLimiter lowered = limiter(Limit.parse("6/h"));
        assertThat(raised.peek("alice")).hasRemaining(4);
        assertThat(lowered.tryAcquire("alice")).isDenied().hasRemaining(0);
        assertThat(raised.tryAcquire("alice", 4)).isAllowed();
    }

    /** Known bug A3. */
    @Test
    void denialByOneLimitChargesNone() {
        RateLimiter limiter = limiter(Limit.parse("10/h"), Limit.parse("2/day").using("fixed-window"));
        limiter.tryAcquire("alice", 2);
        List<Standing> before = limiter.peek("alice").standings();
        assertThat(limiter.tryAcquire("alice")).isDenied();
        assertThat(limiter.peek("alice").standings()).isEqualTo(before);
    }

    /** Known bug R4: a key is held until its budget is full again, to the microsecond, and not for ever. */
    @Test
    void entryExpiresWhenTheBudgetIsFull() {
        RateLimiter limiter = limiter(Limit.parse("6/min"));
        limiter.tryAcquire("alice", 2);
        time.advance(Duration.ofSeconds(20).minus(Duration.ofNanos(1_000)));
        assertThat(limiter.peek("alice")).hasRemaining(5);
        assertThat(store.stats().evictionCount()).isZero();
        time.advanceMicros(1);
        assertThat(limiter.peek("alice")).hasRemaining(6);
        time.advance(Duration.ofSeconds(2)); // the cache clears expired entries away about once a second
        assertThat(store.keys()).isZero();
        assertThat(store.stats().evictionCount()).isOne();
    }

    /** Known bug A4: a client that hammers holds its entry no longer than one that does not. */
    @Test
    void denialExtendsNothing() {
        RateLimiter limiter = limiter(Limit.parse("1/min"));
        limiter.tryAcquire("alice");
        for (int second = 1; second < 60; second++) {
            time.advance(Duration.ofSeconds(1));
            assertThat(limiter.tryAcquire("alice")).isDenied().retriesAfter(Duration.ofSeconds(60 - second));
        }
        time.advance(Duration.ofSeconds(1));
        assertThat(limiter.tryAcquire("alice")).isAllowed();
    }

    /** Known bug T4. */
    @Test
    void clockThatStepsBackGrantsNothingAndWedgesNothing() {
        RateLimiter limiter = limiter(Limit.parse("2/min"));
        limiter.tryAcquire("alice", 2);
        time.stepBack(Duration.ofHours(1));
        assertThat(limiter.tryAcquire("alice")).isDenied().retriesAfter(Duration.ofSeconds(30));
        time.advance(Duration.ofSeconds(30));
        assertThat(limiter.tryAcquire("alice")).isAllowed();
    }

    @Test
    void holdsNoMoreThanItsMaximum() {
        RateLimiter limiter = limiter(Limit.parse("1/h"));
        IntStream.range(0, 50 * MAX_KEYS).forEach(i -> limiter.tryAcquire("client-" + i));
        assertThat(store.keys()).isLessThanOrEqualTo(MAX_KEYS);
    }

    /**
     * Known bugs H7, K02: not kept by this store. Whoever sends enough other keys gets a fresh budget, because the cache cannot know
     * that a counter must stay. {@code MemoryStore} keeps it.
     */
    @Test
    void floodWashesOutALimitedClient() {
        RateLimiter limiter = limiter(Limit.parse("1/h"));
        limiter.tryAcquire("mallory");
        assertThat(limiter.tryAcquire("mallory")).isDenied();

        for (int i = 0; i < 50 * MAX_KEYS; i++) {
            for (int again = 0; again < 5; again++) {
                limiter.tryAcquire("flood-" + i);
            }
        }

        assertThat(limiter.tryAcquire("mallory")).isAllowed();
    }

    @Test
    void countsHitsMissesAndEvictions() {
        RateLimiter limiter = limiter(Limit.parse("2/h"));
        limiter.tryAcquire("alice");
        limiter.tryAcquire("alice");
        limiter.tryAcquire("alice");
        limiter.tryAcquire("bob");
        assertThat(store.stats().hitCount()).isEqualTo(2);
        assertThat(store.stats().missCount()).isEqualTo(2);
        time.advance(Duration.ofHours(2));
        assertThat(store.keys()).isZero();
        assertThat(store.stats().evictionCount()).isEqualTo(2);
    }

    /** Known bug A1. */
    @ParameterizedTest
    @ValueSource(strings = {"token-bucket", "sliding-window-log"})
    void allowsExactlyTheLimitUnderManyThreads(String algorithm) throws InterruptedException {
        RateLimiter limiter = limiter(Limit.parse("1000/h").using(algorithm));
        AtomicInteger allowed = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        for (int thread = 0; thread < 8; thread++) {
            threads.execute(() -> {
                for (int i = 0; i < 500; i++) {
                    allowed.addAndGet(limiter.tryAcquire("alice").allowed() ? 1 : 0);
                }
            });
        }
        threads.shutdown();
        assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        assertThat(allowed).hasValue(1000);
    }

    @Test
    void rejectsWhatItCannotKeep() {
        assertThatThrownBy(() -> new CaffeineStore(0)).hasMessageContaining("not 0");
        assertThatThrownBy(() -> limiter(Limit.parse("20000/h").using("sliding-window-log")))
                .hasMessageContaining("sliding-window");
    }

    private RateLimiter limiter(Limit... limits) {
        return headgate.limiter("api", Plan.of(limits));
    }
}
