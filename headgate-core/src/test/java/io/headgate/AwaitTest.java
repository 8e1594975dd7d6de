package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Waiting for something, but not for ever: {@link TimeSource#await}. */
class AwaitTest {

    @Test
    void awaitsWhatIsDoneInWhateverWay() {
        CompletableFuture<Void> cancelled = new CompletableFuture<>();
        cancelled.cancel(false);

        assertThat(TimeSource.system().await(CompletableFuture.completedFuture(1), 1))
                .isTrue();
        assertThat(TimeSource.system().await(CompletableFuture.failedFuture(new IllegalStateException()), 1))
                .isTrue();
        assertThat(TimeSource.system().await(cancelled, 1)).isTrue();
    }

    @Test
    void awaitsNothingForLongerThanAsked() {
        assertThat(TimeSource.system().await(new CompletableFuture<>(), 1_000)).isFalse();
        assertThat(TimeSource.system().await(new CompletableFuture<>(), 0)).isFalse();
    }

    @Test
    void awaitsInSpiteOfAnInterruptAndKeepsIt() {
        CompletableFuture<Void> soon = new CompletableFuture<>();
        soon.completeOnTimeout(null, 20, TimeUnit.MILLISECONDS);
        Thread.currentThread().interrupt();

        boolean done = TimeSource.system().await(soon, Duration.ofMinutes(1).toNanos() / 1_000);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(done).isTrue();
    }

    /** A store that is left alone answers at once, and that a lot: no alarm is set for such an answer. */
    @Test
    void awaitsNothingThatIsDone() {
        TimeSource others = new TimeSource() {
            @Override
            public long nowMicros() {
                return 0;
            }

            @Override
            public CompletableFuture<Void> after(long micros) {
                throw new AssertionError("an alarm");
            }
        };

        assertThat(others.await(CompletableFuture.completedFuture(1), 1)).isTrue();
    }
}
