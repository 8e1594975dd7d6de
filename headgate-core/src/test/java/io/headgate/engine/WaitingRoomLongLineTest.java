package io.headgate.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.headgate.Decision;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Ten thousand waiters on one key. */
class WaitingRoomLongLineTest extends WaitingRoomFixture {

    /** On a thread with little stack: whoever serves a line does not climb along it. */
    private static void onASmallStack(Runnable action) {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread thread = new Thread(null, () -> failure.set(catchThrowable(action::run)), "small", 160 * 1024);
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        assertThat(failure.get()).isNull();
    }

    private static final int MANY = 10_000;

    @Test
    void servesAVeryLongLine() {
        LedgerLimiter limiter = limiter(MANY + "/10s", "fixed-window");
        limiter.tryAcquire("alice", MANY);
        List<CompletableFuture<Decision>> waiters = IntStream.range(0, MANY)
                .mapToObj(i -> limiter.acquireAsync("alice", 1, HOUR))
                .toList();

        onASmallStack(() -> time.advance(Duration.ofSeconds(10)));

        waiters.forEach(WaitingRoomFixture::assertGranted);
    }

    @Test
    void endsAVeryLongLineWhenTheTimeOfAllIsOver() {
        LedgerLimiter limiter = limiter("2/10s", "sliding-window-log");
        limiter.tryAcquire("alice", 1);
        List<CompletableFuture<Decision>> waiters = IntStream.range(0, MANY)
                .mapToObj(i -> limiter.acquireAsync("alice", 2, Duration.ofSeconds(15)))
                .toList();

        onASmallStack(() -> time.advance(Duration.ofSeconds(15)));

        assertGranted(waiters.get(0));
        waiters.subList(1, MANY).forEach(WaitingRoomFixture::denied);
    }

    @Test
    void servesWhoeverIsLeftOfAVeryLongLine() {
        LedgerLimiter limiter = limiter("2/10s", "sliding-window-log");
        limiter.tryAcquire("alice", 1);
        List<CompletableFuture<Decision>> waiters = IntStream.range(0, MANY)
                .mapToObj(i -> limiter.acquireAsync("alice", i == MANY - 1 ? 1 : 2, HOUR))
                .toList();

        onASmallStack(() -> waiters.subList(0, MANY - 1).forEach(waiter -> waiter.cancel(false)));

        assertGranted(waiters.get(MANY - 1));
    }

    @Test
    void servesAVeryLongLineOfASlowStore() {
        SlowStore slow = new SlowStore();
        LedgerLimiter limiter = limiter(slow, MANY + "/10s", "token-bucket");
        List<CompletableFuture<Decision>> waiters = IntStream.range(0, MANY)
                .mapToObj(i -> limiter.acquireAsync("alice", 1, HOUR))
                .toList();

        onASmallStack(slow::answerAll);

        waiters.forEach(WaitingRoomFixture::assertGranted);
    }
}
