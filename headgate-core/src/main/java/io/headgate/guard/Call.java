package io.headgate.guard;

import io.headgate.Decision;
import io.headgate.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One call to the store: it ends once, with its answer or at its deadline, and the answer may still come after that. */
final class Call {

    private final CompletableFuture<Decision> answer;
    private final Consumer<@Nullable StoreException> report;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final CompletableFuture<Decision> timely = new CompletableFuture<>();
    private volatile @Nullable CompletableFuture<Void> alarm;

    /** @param report told once, before anybody else, how the call ended: {@code null} for well */
    Call(CompletableFuture<Decision> answer, Consumer<@Nullable StoreException> report) {
        this.answer = answer;
        this.report = report;
    }

    /** A call that was not placed. */
    static Call failed(StoreException why) {
        Call call = new Call(CompletableFuture.failedFuture(why), ignored -> {});
        call.end(null, why);
        return call;
    }

    /** The answer if it comes in time, else the reason why not: a {@link StoreException}. */
    CompletableFuture<Decision> timely() {
        return timely;
    }

    /** The answer if it is here, in time and no failure; else {@code null}. */
    @Nullable
    Decision ready() {
        return timely.isDone() && !timely.isCompletedExceptionally() ? timely.join() : null;
    }

    /** Whether the store has answered, or has failed to. */
    boolean isAnswered() {
        return answer.isDone();
    }

    /** Takes the answer of the store whenever it comes, if it does. */
    void ifAnswered(Consumer<Decision> late) {
        answer.handle((decision, failure) -> { // any other way, a failure is wrapped in another with all its stack
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
            pending.complete(null); // cancelled, it would make exceptions with all their stacks on every check
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
        if (ended.get()) { // just then, without an alarm to stop
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
