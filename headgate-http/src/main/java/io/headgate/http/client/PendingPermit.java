package io.headgate.http.client;

import io.headgate.Decision;
import io.headgate.FailurePolicy;
import io.headgate.Standing;
import io.headgate.StoreException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A request that waits for its permit, one step after the other. If it is cancelled, the step in progress is, and what the steps before have
 * got is given back.
 */
final class PendingPermit extends CompletableFuture<OutgoingPermit> {

    private static final Duration SOON = Duration.ofSeconds(1);

    private final OutgoingLimiter limiter;
    private final String subject;
    private final @Nullable LearnedBudget budget;
    private final long place;
    private final long deadlineMicros;
    private Decision.@Nullable Allowed charge;
    private LearnedBudget.@Nullable Slot slot;
    private volatile @Nullable CompletableFuture<?> step;

    PendingPermit(OutgoingLimiter limiter, String subject) {
        this.limiter = limiter;
        this.subject = subject;
        this.budget = limiter.pause == null ? null : limiter.budget(subject);
        this.place = limiter.nextPlace();
        this.deadlineMicros = limiter.time.nowMicros() + limiter.maxWaitMicros;
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        cancelStep();
        return cancelled;
    }

    private void cancelStep() {
        CompletableFuture<?> current = step;
        if (isDone() && current != null) {
            current.cancel(true);
        }
    }

    void start() {
        if (budget != null) {
            long wait = budget.waitMicros();
            if (wait > limiter.maxWaitMicros) { // nothing to be taken from limits that cannot be used
                denyByServer(wait);
                return;
            }
        }
        if (limiter.limits == null) {
            enter();
        } else {
            after(limiter.limits.acquireAsync(subject, 1, limiter.client.maxWait()), this::charged);
        }
    }

    private void charged(@Nullable Decision decision, @Nullable Throwable failure) {
        if (decision instanceof Decision.Allowed allowed) {
            charge = allowed;
            enter();
        } else if (decision != null) {
            deny(decision);
        } else if (passes(failure)) {
            enter();
        }
    }

    private void enter() {
        if (isDone()) {
            undo();
        } else if (budget == null) {
            finish();
        } else {
            after(budget.enter(place, deadlineMicros), this::entered);
        }
    }

    private void entered(LearnedBudget.@Nullable Slot entered, @Nullable Throwable failure) {
        if (entered == null) {
            deny(SOON, "the wait was given up", failure);
        } else if (entered.departures() == null) {
            denyByServer(entered.waitMicros());
        } else {
            slot = entered;
            if (isDone()) {
                undo();
            } else if (limiter.pause != null) {
                after(limiter.pause.check(subject), this::checked);
            }
        }
    }

    private void checked(@Nullable Decision decision, @Nullable Throwable failure) {
        if (decision instanceof Decision.Denied denied && !denied.degraded()) {
            pauseFor(denied.retryAfterMicros());
            enter();
        } else if (decision instanceof Decision.Unavailable) {
            deny(decision);
        } else if (decision != null || passes(failure)) {
            finish();
        }
    }

    /** Leaves the slot, and gets back in line at the same place. */
    private void pauseFor(long micros) {
        LearnedBudget.Slot unused = slot;
        slot = null;
        if (budget != null && unused != null) {
            budget.pause(micros);
            budget.giveBack(unused);
        }
    }

    /** Whether the request goes ahead though the store has failed. A guarded store follows the policy itself. */
    private boolean passes(@Nullable Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof StoreException && limiter.client.onStoreFailure() != FailurePolicy.CLOSED) {
            return true;
        }
        deny(SOON, "the store failed", cause);
        return false;
    }

    private void finish() {
        if (!complete(new OutgoingPermit(limiter, subject, charge, budget, slot))) {
            undo();
        }
    }

    private void denyByServer(long waitMicros) {
        deny(Standing.duration(waitMicros), "the server allows no more for now", null);
    }

    private void deny(Decision decision) {
        if (decision instanceof Decision.Unavailable unavailable) {
            deny(unavailable.retryAfter(), "the store failed", unavailable.cause());
        } else {
            deny(decision.retryAfter(), "the limit " + decision.limit().written() + " is used up", null);
        }
    }

    private void deny(Duration retryAfter, String why, @Nullable Throwable cause) {
        undo();
        completeExceptionally(new OutgoingLimitException(
                limiter.name(),
                retryAfter,
                why + ": retry in " + retryAfter.toMillis() + " ms (max-wait is "
                        + limiter.client.maxWait().toMillis() + " ms)",
                cause));
    }

    private void undo() {
        Decision.Allowed unusedCharge = charge;
        LearnedBudget.Slot unusedSlot = slot;
        charge = null;
        slot = null;
        limiter.giveBack(unusedCharge, budget, unusedSlot);
    }

    private <T> void after(CompletableFuture<T> next, BiConsumer<@Nullable T, @Nullable Throwable> action) {
        step = next;
        next.whenComplete(action);
        cancelStep(); // if this was cancelled meanwhile
    }
}
