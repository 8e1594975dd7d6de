package io.headgate.testkit;

import static io.headgate.testkit.DecisionAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headgate.Decision;
import io.headgate.Limit;
import io.headgate.RateLimiter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The fourth chapter of the {@link StoreContract}: exact counts under concurrent requests. */
abstract class StoreConcurrency extends StoreChanges {

    private static final int THREADS = 64;

    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void allowsExactlyTheLimitToManyThreadsOnOneKey(String algorithm) throws Exception {
        RateLimiter limiter = limiter("1000/day", algorithm);
        AtomicLong allowed = new AtomicLong();
        inThreads(thread -> {
            for (int i = 0; i < 30; i++) {
                allowed.addAndGet(limiter.tryAcquire("hot").allowed() ? 1 : 0);
            }
        });
        assertThat(allowed.get()).isEqualTo(atOnce(algorithm, 1000));
    }

    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void allowsExactlyTheLimitToManyThreadsOnManyKeys(String algorithm) throws Exception {
        RateLimiter limiter = limiter("10/day", algorithm);
        int keys = 50;
        AtomicLong[] allowed = Stream.generate(AtomicLong::new).limit(keys).toArray(AtomicLong[]::new);
        inThreads(thread -> {
            for (int i = 0; i < keys; i++) {
                int key = (i * 7 + thread) % keys;
                allowed[key].addAndGet(limiter.tryAcquire("key " + key).allowed() ? 1 : 0);
            }
        });
        assertThat(allowed).allSatisfy(count -> assertThat(count.get()).isEqualTo(atOnce(algorithm, 10)));
    }

    /** The counts stay exact under several limits, with costs above 1, and with some charges refunded. */
    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void losesNoPermitAndInventsNone(String algorithm) throws Exception {
        assumeTrue(refunds(algorithm) && !algorithm.equals("leaky-bucket"), "holds no balance");
        RateLimiter limiter = limiter(
                "busy",
                Limit.parse("2000/day").using(algorithm),
                Limit.parse("3000/day").using("fixed-window").named("second"));
        AtomicLong spent = new AtomicLong();
        inThreads(thread -> {
            for (int i = 0; i < 20; i++) {
                int cost = 1 + (thread + i) % 5;
                if (limiter.tryAcquire("hot", cost) instanceof Decision.Allowed granted) {
                    spent.addAndGet(cost);
                    if (i % 3 == 0) {
                        limiter.refund(granted);
                        spent.addAndGet(-cost);
                    }
                }
            }
        });
        assertThat(remaining(limiter.peek("hot"))).containsExactly(2000 - spent.get(), 3000 - spent.get());
    }

    @Test
    public void refundsAReceiptOnceToManyThreads() throws Exception {
        RateLimiter limiter = limiter("100/day", "token-bucket");
        limiter.tryAcquire("alice", 50);
        Decision.Allowed receipt = granted(limiter.tryAcquire("alice", 1));
        inThreads(thread -> limiter.refund(receipt));
        assertThat(limiter.peek("alice")).hasRemaining(50);
    }

    /** While time moves, no more is allowed than the burst plus the permits that have returned. */
    @Test
    public void allowsNoMoreThanTheLimitWhileTimeMoves() throws Exception {
        needsStillTime();
        RateLimiter limiter = limiter("burst", Limit.parse("1000/s burst 50"));
        long begin = time().nowMicros();
        AtomicLong allowed = new AtomicLong();
        inThreads(thread -> {
            for (int i = 0; i < 50; i++) {
                if (thread == 0) {
                    time().advance(Duration.ofMillis(10));
                }
                allowed.addAndGet(limiter.tryAcquire("hot").allowed() ? 1 : 0);
            }
        });
        assertThat(allowed.get()).isLessThanOrEqualTo(50 + (time().nowMicros() - begin) / 1_000);
    }

    private interface Task {
        void run(int thread) throws Exception;
    }

    private static void inThreads(Task task) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            CountDownLatch start = new CountDownLatch(THREADS);
            List<Callable<Void>> tasks = IntStream.range(0, THREADS)
                    .<Callable<Void>>mapToObj(thread -> () -> {
                        start.countDown();
                        start.await();
                        task.run(thread);
                        return null;
                    })
                    .toList();
            for (Future<Void> done : threads.invokeAll(tasks)) {
                done.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
