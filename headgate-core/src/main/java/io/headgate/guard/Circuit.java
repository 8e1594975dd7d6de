package io.headgate.guard;

import io.headgate.Decision;
import io.headgate.StoreException;
import io.headgate.StoreException.Reason;
import io.headgate.TimeSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls one part of a store with a deadline, behind a circuit breaker, and never with more calls in flight than allowed: a store that
 * hangs holds up a bounded number of them. Nothing is sent twice.
 */
final class Circuit {

    private final Semaphore free;
    private final int callsInFlight;
    private final Breaker breaker;
    private final long deadlineMicros;
    private final TimeSource time;
    private volatile long lastHeardMicros;

    Circuit(GuardSettings settings, TimeSource time) {
        this.callsInFlight = settings.callsInFlight();
        this.free = new Semaphore(callsInFlight);
        this.breaker = new Breaker(settings.failures(), settings.openFor().toNanos() / 1_000);
        this.deadlineMicros = settings.deadline().toNanos() / 1_000;
        this.time = time;
        this.lastHeardMicros = time.nowMicros();
    }

    /**
     * Makes a call if there may be one more and the breaker lets it through. It ends in time only if the caller
     * {@linkplain Call#endInTime watches} or {@linkplain Call#await awaits} it.
     */
    Call place(Supplier<CompletableFuture<Decision>> question) {
        if (!free.tryAcquire()) {
            return failed(new GuardException(Reason.BULKHEAD, "too many calls to the store are under way"));
        }
        Breaker.Ticket ticket = breaker.ask(time.nowMicros());
        if (ticket == null) {
            free.release();
            return failed(new GuardException(
                    Reason.BREAKER,
                    "the store is not called for a moment: the circuit breaker is open, since it kept failing"));
        }
        CompletableFuture<Decision> answer = begin(question);
        Call call = new Call(answer, ticket);
        answer.whenComplete((decision, failure) -> {
            free.release(); // not before: a call that was given up is still in flight
            call.end(decision, failure);
        });
        return call;
    }

    /** A call that was not made. */
    private Call failed(StoreException why) {
        Call call = new Call(CompletableFuture.failedFuture(why), null);
        call.end(null, why);
        return call;
    }

    /** One call to the store. It ends exactly once, with its answer or at its deadline; the answer may still arrive after the deadline. */
    final class Call {

        private final CompletableFuture<Decision> answer;
        private final Breaker.@Nullable Ticket ticket;
        private final AtomicBoolean ended = new AtomicBoolean();
        private final CompletableFuture<Decision> timely = new CompletableFuture<>();
        private volatile @Nullable CompletableFuture<Void> alarm;

        private Call(CompletableFuture<Decision> answer, Breaker.@Nullable Ticket ticket) {
            this.answer = answer;
            this.ticket = ticket;
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

        /** Passes the answer of the store to {@code late} whenever it arrives, if it does. */
        void ifAnswered(Consumer<Decision> late) {
            answer.handle((decision, failure) -> { // other methods wrap a failure in a new exception with a stack trace
                if (decision != null) {
                    late.accept(decision);
                }
                return null;
            });
        }

        /** Blocks the thread until the result is settled or the deadline has passed; at the deadline the call is ended. */
        void await(CompletableFuture<Decision> settled) {
            if (!time.await(settled, deadlineMicros)) {
                end(null, late());
            }
        }

        /** Ensures that the call ends at its deadline. */
        void endInTime() {
            if (answer.isDone()) {
                return;
            }
            CompletableFuture<Void> deadline = time.after(deadlineMicros);
            alarm = deadline;
            deadline.thenRun(() -> {
                if (!ended.get()) {
                    end(null, late());
                }
            });
            if (ended.get()) { // it ended meanwhile, perhaps before the alarm was set
                deadline.complete(null);
            }
        }

        private void end(@Nullable Decision decision, @Nullable Throwable failure) {
            if (!ended.compareAndSet(false, true)) {
                return;
            }
            StoreException why = decision != null ? null : storeException(failure);
            if (ticket != null) { // the breaker learns of it before any other code
                long now = time.nowMicros();
                lastHeardMicros = now;
                breaker.report(ticket, countsAgainst(why), now);
            }
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
    }

    /** Calls the store; an exception becomes a failed future. */
    static <T> CompletableFuture<T> begin(Supplier<CompletableFuture<T>> question) {
        try {
            return question.get();
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    static StoreException storeException(@Nullable Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof StoreException known
                ? known
                : new StoreException("the store failed: " + cause, cause != null ? cause : new AssertionError());
    }

    private StoreException late() {
        return new GuardException(
                Reason.TIMEOUT, "the store did not answer within " + deadlineMicros / 1_000.0 + " ms");
    }

    /** Whether the store itself failed: trouble with a single key is no reason to stop calls for the other keys. */
    static boolean countsAgainst(@Nullable StoreException failure) {
        return failure != null && failure.reason() != Reason.UNREADABLE && failure.reason() != Reason.CONTENTION;
    }

    /** When a request last got an answer from this part or failed to, or a probe got one. */
    long lastHeardMicros() {
        return lastHeardMicros;
    }

    /** Records the outcome of a probe. */
    void probed(boolean failed) {
        long now = time.nowMicros();
        breaker.probed(failed, now);
        if (!failed) {
            lastHeardMicros = now;
        }
    }

    boolean isOpen() {
        return breaker.isOpen(time.nowMicros());
    }

    Breaker.State breaker() {
        return breaker.state();
    }

    int inFlight() {
        return callsInFlight - free.availablePermits();
    }
}
