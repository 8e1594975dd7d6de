package io.headgate.testkit;

import static io.headgate.testkit.DecisionAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.RateLimiter;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The tests that every {@link io.headgate.Store} must pass: extend this class and {@linkplain #open open} the store under test.
 *
 * <p>A store that takes its time from a {@link io.headgate.TimeSource} gets a {@link ManualTime}. For a store with a clock of its
 * own, override {@link #clock}; tests that need time to stand still are then skipped.
 *
 * <p>The tests of operations, plans and concurrency are in the superclasses; this class tests behaviour over time.
 */
public abstract class StoreContract extends StoreCancellations {

    /** The store makes the same decisions, to the microsecond, as the bare algorithms. */
    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void answersAsTheAlgorithmDoes(String algorithm) {
        needsStillTime();
        Random random = Seeds.random(getClass());
        for (int round = 0; round < Seeds.rounds(40); round++) {
            new StoreComparison(store(), time(), random, algorithm, round).run();
        }
    }

    /** A client that hammers gets as many permits as one that asks only when a permit is available. */
    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void letsThoseWhoHammerHaveTheirShare(String algorithm) {
        needsStillTime();
        RateLimiter limiter = limiter("20 per 10s", algorithm);
        time().advance(Duration.of(10_000_000 - time().nowMicros() % 10_000_000, ChronoUnit.MICROS));
        for (int period = 0; period < 4; period++) {
            int rude = 0;
            int polite = 0;
            for (int attempt = 0; attempt < 200; attempt++) {
                rude += limiter.tryAcquire("rude").allowed() ? 1 : 0;
                polite += limiter.peek("polite").allowed()
                                && limiter.tryAcquire("polite").allowed()
                        ? 1
                        : 0;
                time().advance(Duration.ofMillis(50));
            }
            assertThat(rude).as("allowed in period %d", period).isEqualTo(polite);
            if (algorithm.equals("fixed-window") || algorithm.equals("sliding-window-log")) {
                assertThat(rude).isEqualTo(20);
            }
        }
    }

    /** A client that knows {@link io.headgate.Standing#moreAfter} has no reason to ask again before then. */
    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void tellsToTheMicrosecondWhenMoreWillRemain(String algorithm) {
        needsStillTime();
        RateLimiter limiter = limiter("7/min", algorithm);
        for (int cost = 1; cost <= 3; cost++) {
            time().advance(Duration.ofSeconds(11));
            Decision decision = limiter.tryAcquire("alice", cost);
            assertThat(decision).isAllowed();
            Duration more = decision.standings().get(0).moreAfter();
            time().advance(more.minus(1, ChronoUnit.MICROS));
            assertThat(limiter.peek("alice").remaining()).isEqualTo(decision.remaining());
            time().advance(Duration.of(1, ChronoUnit.MICROS));
            assertThat(limiter.peek("alice").remaining()).isGreaterThan(decision.remaining());
        }
    }

    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void letsWaitersInWhenTheirTimeComes(String algorithm) {
        needsStillTime();
        RateLimiter limiter = limiter("4/min", algorithm);
        limiter.tryAcquire("door", 4);
        Duration wait = ((Decision.Denied) limiter.peek("door")).retryAfter();
        CompletableFuture<Decision> waiter = limiter.acquireAsync("door", 1, Duration.ofHours(1));
        time().advance(wait.minus(1, ChronoUnit.MICROS));
        assertThat(waiter).isNotDone();
        time().advance(Duration.of(1, ChronoUnit.MICROS));
        assertThat(waiter.orTimeout(10, TimeUnit.SECONDS).join()).isAllowed();
    }

    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void turnsAwayAtOnceWhoCannotWaitLongEnough(String algorithm) {
        needsStillTime();
        RateLimiter limiter = limiter("4/min", algorithm);
        limiter.tryAcquire("door", 4);
        Duration wait = ((Decision.Denied) limiter.peek("door")).retryAfter();
        Decision answer = limiter.acquireAsync("door", 1, wait.minus(1, ChronoUnit.MICROS))
                .orTimeout(10, TimeUnit.SECONDS)
                .join();
        assertThat(answer).isDenied().retriesAfter(wait);
    }

    /** Waiters are served in the order in which they came, and in the end all of them are served. */
    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void servesWaitersInTheOrderTheyCame(String algorithm) throws Exception {
        needsStillTime();
        RateLimiter limiter = limiter("4/min", algorithm);
        limiter.tryAcquire("door", 4);
        List<Integer> served = Collections.synchronizedList(new ArrayList<>());
        List<CompletableFuture<Void>> waiters = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            int place = i;
            waiters.add(
                    limiter.acquireAsync("door", 1 + i % 3, Duration.ofHours(2)).thenAccept(decision -> {
                        assertThat(decision).isAllowed();
                        served.add(place);
                    }));
        }
        for (int i = 0; i < 120 && served.size() < 6; i++) {
            time().advance(Duration.ofMinutes(1));
        }
        CompletableFuture.allOf(waiters.toArray(CompletableFuture[]::new)).get(10, TimeUnit.SECONDS);
        assertThat(served).containsExactly(0, 1, 2, 3, 4, 5);
    }

    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void givesThePermitsOfALeaverBack(String algorithm) {
        needsStillTime();
        RateLimiter limiter = limiter("4/min", algorithm);
        limiter.tryAcquire("door", 4);
        Decision before = limiter.peek("door");
        CompletableFuture<Decision> waiter = limiter.acquireAsync("door", 2, Duration.ofHours(1));
        waiter.cancel(true);
        assertThat(limiter.peek("door").toString()).isEqualTo(before.toString());
        time().advance(Duration.ofHours(1));
        assertThat(limiter.peek("door")).isAllowed().hasRemaining(4);
    }

    @Test
    public void givesThePermitsOfAnInterruptedThreadBack() throws Exception {
        needsStillTime();
        RateLimiter limiter = limiter("4/min", "token-bucket");
        limiter.tryAcquire("door", 4);
        Decision before = limiter.peek("door");
        AtomicLong interrupted = new AtomicLong();
        Thread thread = new Thread(() -> {
            try {
                limiter.acquire("door", 2, Duration.ofHours(1));
            } catch (InterruptedException e) {
                interrupted.incrementAndGet();
            }
        });
        thread.start();
        while (limiter.peek("door").toString().equals(before.toString())) {
            Thread.onSpinWait(); // until the thread has reserved its slot
        }
        thread.interrupt();
        thread.join(10_000);
        assertThat(interrupted.get()).isEqualTo(1);
        assertThat(limiter.peek("door").toString()).isEqualTo(before.toString());
    }
}
