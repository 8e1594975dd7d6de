package io.headgate.guard;

import io.headgate.Decision;
import io.headgate.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One call to the store. It ends exactly once, with its answer or at its deadline; the answer may still arrive after the deadline. */
final class Call {

    private final CompletableFuture<Decision> answer;
    private final Consumer<@Nullable StoreException> report;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final CompletableFuture<Decision> timely = new CompletableFuture<>();
    private volatile @Nullable CompletableFuture<Void> alarm;

    /** @param report called once, before any other code learns of it, with the failure that ended the call; {@code null} for success */
    Call(CompletableFuture<Decision> answer, Consumer<@Nullable StoreException> report) {
        this.answer = answer;
        this.report = report;
    }

    /** A call that was not made. */
    static Call failed(StoreException why) {
        Call call = new Call(CompletableFuture.failedFuture(why), ignored -> {});
        call.end(null, why);
        return call;
    }

    /** The answer if it arrives in time; otherwise fails with a {@link StoreException}. */
    CompletableFuture<Decision> timely() {
        return timely;
    }

    /** The answer if it has arrived in time and is no failure; else {@code null}. */
    @Nullable
    Decision ready() {
        return timely.isDone() && !timely.isCompletedExceptionally() ? timely.join() : null;
    }

    /** Whether the store has answered or failed. */
    boolean isAnswered() {
        return answer.isDone();
    }

    /** Passes the answer of the store to {@code late} whenever it arrives, if it does. */
    void ifAnswered(Consumer<Decision> late) {
        answer.handle((decision, failure) -> { // other methods wrap a failure in a new exception with a stack trace
            if (decision != null) {
                late.accept(decision);
            }
            return null;
        });
    }

    void end(@Nullable Decision decision, @Nullable Throwable failure) {
        if (!ended.compareAndSet(false, true)) {
            return;
        }
        StoreException why = decision != null ? null : storeException(failure);
        report.accept(why);
        CompletableFuture<Void> pending = alarm;
        if (pending != null) {
            pending.complete(null); // cancelling it would create exceptions with stack traces on every check
        }
        if (decision != null) {
            timely.complete(decision);
        } else {
            timely.completeExceptionally(why);
        }
    }

    void endBy(CompletableFuture<Void> deadline, Supplier<StoreException> late) {
        alarm = deadline;
        deadline.thenRun(() -> {
            if (!ended.get()) {
                end(null, late.get());
            }
        });
        if (ended.get()) { // it ended meanwhile, perhaps before the alarm was set
            deadline.complete(null);
        }
    }

    static StoreException storeException(@Nullable Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof StoreException known
                ? known
                : new StoreException("the store failed: " + cause, cause != null ? cause : new AssertionError());
    }
}
