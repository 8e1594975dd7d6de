package io.headgate.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.headgate.Decision;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.StoreException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A store that fails: the caller is told, and the line goes on. */
class WaitingRoomFailureTest extends WaitingRoomFixture {

    private enum Trouble {
        FAILED,
        WRAPPED,
        THROWN;

        CompletableFuture<Decision> cause() {
            StoreException failure = new StoreException("down");
            return switch (this) {
                case FAILED -> CompletableFuture.failedFuture(failure);
                case WRAPPED -> CompletableFuture.failedFuture(new CompletionException(failure));
                case THROWN -> throw failure;
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    void tellsTheCallerWhenTheStoreFails(Trouble trouble) {
        LedgerLimiter limiter = limiter(new ScriptedStore(operation -> trouble.cause()), "1/s", "token-bucket");

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> limiter.acquire("alice", 1, HOUR))
                .withMessage("down");
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> limiter.acquire("alice", 1, Duration.ZERO))
                .withMessage("down");
        assertThat(catchThrowable(() -> limiter.acquireAsync("alice", 1, HOUR).join()))
                .hasCauseExactlyInstanceOf(StoreException.class);
    }

    @ParameterizedTest
    @EnumSource
    void goesOnWithTheLineWhenTheStoreFailed(Trouble trouble) {
        AtomicReference<Function<Operation, CompletableFuture<Decision>>> script = new AtomicReference<>();
        Plan plan = Plan.of(Limit.parse("1/10s").using("fixed-window"));
        Function<Operation, CompletableFuture<Decision>> sound =
                operation -> memory.bind("api", plan).applyAsync("alice", operation);
        script.set(sound);
        LedgerLimiter limiter =
                limiter(new ScriptedStore(operation -> script.get().apply(operation)), "1/10s", "fixed-window");
        limiter.tryAcquire("alice");
        CompletableFuture<Decision> first = limiter.acquireAsync("alice", 1, HOUR);
        CompletableFuture<Decision> second = limiter.acquireAsync("alice", 1, HOUR);

        script.set(operation -> {
            script.set(sound);
            return trouble.cause();
        });
        time.advance(Duration.ofSeconds(10));

        assertThat(first).isCompletedExceptionally();
        assertGranted(second);
    }

    @Test
    void takesNoAnswerForAFailure() {
        LedgerLimiter limiter =
                limiter(new ScriptedStore(operation -> CompletableFuture.completedFuture(null)), "1/s", "token-bucket");

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> limiter.acquire("alice", 1, HOUR))
                .withMessage("the store gave no answer");
    }
}
