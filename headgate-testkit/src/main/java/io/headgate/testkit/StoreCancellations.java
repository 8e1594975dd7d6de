package io.headgate.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.Limit;
import io.headgate.RateLimiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The fourth chapter of the {@link StoreContract}: what callers reserved and did not wait for. */
abstract class StoreCancellations extends StoreConcurrency {

    private static final Duration LONG = Duration.ofHours(1);

    private enum Order {
        ARRIVAL,
        REVERSE,
        RANDOM;

        <T> void of(List<T> waiters, Random random) {
            switch (this) {
                case ARRIVAL -> {}
                case REVERSE -> Collections.reverse(waiters);
                case RANDOM -> Collections.shuffle(waiters, random);
            }
        }
    }

    /** Nobody waits any more, and so nothing is reserved any more: in whatever order they leave, on however many limiters. */
    @ParameterizedTest
    @ValueSource(strings = {"token-bucket", "leaky-bucket"})
    public void givesEverythingBackWhenAllWhoWaitLeave(String algorithm) {
        needsStillTime();
        Random random = Seeds.random(getClass());
        Limit limit = Limit.parse("10/s").using(algorithm);
        for (Order order : Order.values()) {
            for (int limiters = 1; limiters <= 2; limiters++) {
                for (int costs = 1; costs <= 3; costs += 2) {
                    String key = order + " " + limiters + " " + costs;
                    List<RateLimiter> each = List.of(limiter("leavers", limit), limiter("leavers", limit));
                    each.get(0).tryAcquire(key, 10);
                    String before = each.get(0).peek(key).toString();
                    List<CompletableFuture<Decision>> waiters = new ArrayList<>();
                    for (int i = 0; i < 60; i++) {
                        waiters.add(each.get(i % limiters).acquireAsync(key, 1L + random.nextInt(costs), LONG));
                    }
                    order.of(waiters, random);
                    waiters.forEach(waiter -> waiter.cancel(false));
                    assertThat(each.get(0).peek(key).toString()).as(key).isEqualTo(before);
                }
            }
        }
    }

    /** Those who stay move up, to the slots of those who left ahead of them. */
    @ParameterizedTest
    @ValueSource(strings = {"token-bucket", "leaky-bucket"})
    public void letsThoseBehindALeaverMoveUp(String algorithm) {
        needsStillTime();
        RateLimiter limiter = limiter("moving up", Limit.parse("1/s").using(algorithm));
        limiter.tryAcquire("door");
        List<CompletableFuture<Decision>> waiters = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            waiters.add(limiter.acquireAsync("door", 1, LONG));
        }
        limiter.peek("door"); // whose answer comes after those of the waiters
        for (int leaver : new int[] {0, 2, 3}) {
            waiters.get(leaver).cancel(false);
        }
        for (int stayer : new int[] {1, 4, 5}) {
            assertThat(waiters.get(stayer)).isNotDone();
            time().advance(Duration.ofSeconds(1));
            assertThat(waiters.get(stayer)).isCompletedWithValueMatching(Decision::allowed);
        }
        assertThat(((Decision.Denied) limiter.peek("door")).retryAfter()).isEqualTo(Duration.ofSeconds(1));
    }

    /** The wait that a caller is told counts on what leavers left free, even if nobody comes by until it is over. */
    @Test
    public void keepsTheWaitItToldAfterALeaver() {
        needsStillTime();
        Limit limit = Limit.parse("1/s burst 3");
        RateLimiter one = limiter("promise", limit);
        RateLimiter two = limiter("promise", limit);
        one.tryAcquire("door", 3);
        CompletableFuture<Decision> leaver = one.acquireAsync("door", 1, LONG);
        CompletableFuture<Decision> stayer = two.acquireAsync("door", 1, LONG);
        leaver.cancel(false);
        Decision.Denied told = (Decision.Denied) one.peek("door", 3);
        assertThat(told.retryAfter()).isEqualTo(Duration.ofSeconds(4));
        time().advance(told.retryAfter());
        assertThat(stayer).isCompletedWithValueMatching(Decision::allowed);
        assertThat(one.tryAcquire("door", 3).allowed()).isTrue();
    }

    /** However many come and leave: no interval has more than the limits allow, and in process nobody gets a later slot than at first. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "10/s burst 1",
                "10/s burst 3",
                "7/s burst 20",
                "10/s leaky",
                "7 per 1001ms leaky",
                "10/s burst 3 + 40 per 10s burst 20",
                "5/s leaky + 30 per 10s burst 30"
            })
    public void allowsNoMoreThanTheLimitsWhileSomeLeave(String limits) {
        needsStillTime();
        Random random = Seeds.random(getClass());
        for (int round = 0; round < Seeds.rounds(12); round++) {
            RateLimiter[] limiters = new RateLimiter[1 + round % 2];
            for (int i = 0; i < limiters.length; i++) {
                limiters[i] = limiter(limits, RandomCancellations.parse(limits));
            }
            new RandomCancellations(limiters, "walk " + round, time(), random, store().inProcess()).run();
        }
    }

    /** Interrupted threads leave as cancelled callers do. */
    @Test
    public void givesEverythingBackWhenAllWhoBlockAreInterrupted() throws Exception {
        needsStillTime();
        RateLimiter limiter = limiter("blocked", Limit.parse("10/s"));
        limiter.tryAcquire("door", 10);
        Decision before = limiter.peek("door");
        List<Thread> threads = new ArrayList<>();
        CyclicBarrier ready = new CyclicBarrier(21);
        for (int i = 0; i < 20; i++) {
            threads.add(new Thread(() -> {
                try {
                    ready.await();
                    limiter.acquire("door", 1, LONG);
                } catch (Exception interrupted) {
                    Thread.currentThread().interrupt();
                }
            }));
        }
        threads.forEach(Thread::start);
        ready.await();
        while (((Decision.Denied) limiter.peek("door")).retryAfter().compareTo(Duration.ofMillis(2_100)) < 0) {
            Thread.onSpinWait(); // until all have reserved a slot
        }
        for (Thread thread : threads) {
            thread.interrupt();
            thread.join(10_000);
        }
        assertThat(limiter.peek("door").toString()).isEqualTo(before.toString());
    }
}
