package io.headgate.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.headgate.Decision;
import io.headgate.EachAlgorithm;
import io.headgate.Seeds;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Waiters that are cancelled, time out or are interrupted leave no trace. */
class WaitingRoomCancellationsTest extends WaitingRoomFixture {

    /** Known bug A5. */
    @EachAlgorithm
    void givesBackWhatACancelledWaiterWasGranted(String algorithm) {
        LedgerLimiter limiter = limiter("2/10s", algorithm);
        limiter.tryAcquire("alice", 2);
        Decision before = limiter.peek("alice");
        CompletableFuture<Decision> cancelled = limiter.acquireAsync("alice", 1, HOUR);

        cancelled.cancel(true);

        assertThat(limiter.peek("alice")).isEqualTo(before);
        assertThat(limiter.waitingRoom.isEmpty()).isTrue();
        assertThat(time.pending()).isZero();
    }

    /** Known bug A5: {@code orTimeout} is a way to cancel, too. */
    @Test
    void givesBackWhatAWaiterThatTimedOutWasGranted() {
        LedgerLimiter limiter = limiter("2/10s", "token-bucket");
        limiter.tryAcquire("alice", 2);
        Decision before = limiter.peek("alice");
        CompletableFuture<Decision> waiter = limiter.acquireAsync("alice", 1, HOUR);

        waiter.completeExceptionally(new TimeoutException());

        assertThat(limiter.peek("alice")).isEqualTo(before);
    }

    @Test
    void movesUpWhenTheHeadIsCancelled() {
        LedgerLimiter limiter = limiter("2/10s", "sliding-window-log");
        limiter.tryAcquire("alice", 1);
        CompletableFuture<Decision> large = limiter.acquireAsync("alice", 2, HOUR);
        CompletableFuture<Decision> behind = limiter.acquireAsync("alice", 1, HOUR);
        assertWaits(behind);

        large.cancel(false);

        assertGranted(behind);
    }

    @Test
    void closesTheGapWhenOneInTheMiddleIsCancelled() {
        LedgerLimiter limiter = limiter("1/10s", "fixed-window");
        limiter.tryAcquire("alice");
        CompletableFuture<Decision> first = limiter.acquireAsync("alice", 1, HOUR);
        CompletableFuture<Decision> second = limiter.acquireAsync("alice", 1, HOUR);
        CompletableFuture<Decision> third = limiter.acquireAsync("alice", 1, HOUR);

        second.cancel(false);
        time.advance(Duration.ofSeconds(10));
        assertGranted(first);
        assertWaits(third);
        time.advance(Duration.ofSeconds(10));
        assertGranted(third);
    }

    /** Known bug A5. */
    @ParameterizedTest
    @ValueSource(strings = {"token-bucket", "sliding-window-log"})
    void givesBackWhatAnInterruptedThreadWasGranted(String algorithm) throws Exception {
        LedgerLimiter limiter = limiter("2/10s", algorithm);
        limiter.tryAcquire("alice", 2);
        Decision before = limiter.peek("alice");
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread thread = new Thread(() -> thrown.set(catchThrowable(() -> limiter.acquire("alice", 1, HOUR))));
        thread.start();
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }

        thread.interrupt();
        thread.join();

        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        assertThat(limiter.peek("alice")).isEqualTo(before);
    }

    /** Known bug A5: whichever comes first, the permit is with the caller or in the budget. */
    @ParameterizedTest
    @ValueSource(strings = {"token-bucket", "fixed-window", "sliding-window-log"})
    void losesNoPermitWhenCancelledJustAsItIsGranted(String algorithm) throws Exception {
        LedgerLimiter limiter = limiter("10/10s", algorithm);
        CyclicBarrier start = new CyclicBarrier(2);
        int[] granted = new int[2];
        for (int round = Seeds.rounds(300); round > 0; round--) {
            limiter.reset("alice");
            limiter.tryAcquire("alice", 10);
            Duration wait = ((Decision.Denied) limiter.peek("alice")).retryAfter();
            CompletableFuture<Decision> waiter = limiter.acquireAsync("alice", 1, HOUR);
            Thread clock = new Thread(() -> {
                await(start);
                time.advance(wait);
            });
            clock.start();
            await(start);
            boolean cancelled = waiter.cancel(false);
            clock.join();

            long free = algorithm.equals("token-bucket") ? 1 : 10;
            assertThat(limiter.peek("alice").remaining()).isEqualTo(cancelled ? free : free - 1);
            granted[cancelled ? 1 : 0]++;
        }
        assertThat(granted[0] + granted[1]).isEqualTo(Seeds.rounds(300));
    }

    /** Known bug A5. */
    @Test
    void losesNoPermitWhenInterruptedJustAsItIsGranted() throws Exception {
        LedgerLimiter limiter = limiter("10/10s", "fixed-window");
        CyclicBarrier start = new CyclicBarrier(2);
        for (int round = Seeds.rounds(200); round > 0; round--) {
            limiter.reset("alice");
            limiter.tryAcquire("alice", 10);
            AtomicReference<Decision> got = new AtomicReference<>();
            Thread thread = new Thread(() -> {
                try {
                    got.set(limiter.acquire("alice", 1, HOUR));
                } catch (InterruptedException e) {
                    assertThat(got.get()).isNull();
                }
            });
            thread.start();
            while (thread.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            Thread clock = new Thread(() -> {
                await(start);
                time.advance(Duration.ofSeconds(10));
            });
            clock.start();
            await(start);
            thread.interrupt();
            clock.join();
            thread.join();

            assertThat(limiter.peek("alice").remaining()).isEqualTo(got.get() == null ? 10 : 9);
        }
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
