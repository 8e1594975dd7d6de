package io.headgate.guard;

import io.headgate.Decision;
import io.headgate.StoreException;
import io.headgate.StoreException.Reason;
import io.headgate.TimeSource;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Calls one part of a store with a deadline, behind a bulkhead and a circuit breaker. Nothing is sent twice. */
final class Circuit {

    private final Bulkhead bulkhead;
    private final Breaker breaker;
    private final long deadlineMicros;
    private final TimeSource time;
    private volatile long toldMicros;

    Circuit(GuardSettings settings, TimeSource time) {
        this.bulkhead = new Bulkhead(settings.callsInFlight());
        this.breaker = new Breaker(settings.failures(), settings.openFor().toNanos() / 1_000);
        this.deadlineMicros = settings.deadline().toNanos() / 1_000;
        this.time = time;
        this.toldMicros = time.nowMicros();
    }

    /**
     * Makes a call if the bulkhead and the breaker let it through. It ends in time only if the caller {@linkplain #watch watches}
     * or {@linkplain #await awaits} it.
     */
    Call place(Supplier<CompletableFuture<Decision>> question) {
        if (!bulkhead.tryEnter()) {
            return Call.failed(new GuardException(Reason.BULKHEAD, "too many calls to the store are under way"));
        }
        Breaker.Ticket ticket = breaker.ask(time.nowMicros());
        if (ticket == null) {
            bulkhead.leave();
            return Call.failed(
                    new GuardException(Reason.BREAKER, "the store is left alone for a moment: it kept failing"));
        }
        CompletableFuture<Decision> answer = begin(question);
        Call call = new Call(answer, failure -> {
            long now = time.nowMicros();
            toldMicros = now;
            breaker.report(ticket, countsAgainst(failure), now);
        });
        answer.whenComplete((decision, failure) -> {
            bulkhead.leave(); // not before: a call that was given up is still in flight
            call.end(decision, failure);
        });
        return call;
    }

    /** Ensures that the call ends at its deadline. */
    void watch(Call call) {
        if (!call.isAnswered()) {
            call.endBy(time.after(deadlineMicros), this::late);
        }
    }

    /** Blocks the thread until the result of the call is settled or its deadline has passed; at the deadline the call is ended. */
    void await(Call call, CompletableFuture<Decision> settled) {
        if (!time.await(settled, deadlineMicros)) {
            call.end(null, late());
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

    private StoreException late() {
        return new GuardException(
                Reason.TIMEOUT, "the store did not answer within " + deadlineMicros / 1_000.0 + " ms");
    }

    /** Whether the store itself failed: trouble with a single key is no reason to stop calls for the other keys. */
    static boolean countsAgainst(@Nullable StoreException failure) {
        return failure != null && failure.reason() != Reason.UNREADABLE && failure.reason() != Reason.CONTENTION;
    }

    /** When a request last got an answer from this part or failed to, or a probe got one. */
    long toldMicros() {
        return toldMicros;
    }

    /** Records the outcome of a probe. */
    void probed(boolean failed) {
        long now = time.nowMicros();
        breaker.probed(failed, now);
        if (!failed) {
            toldMicros = now;
        }
    }

    boolean isOpen() {
        return breaker.isOpen(time.nowMicros());
    }

    Breaker.State breaker() {
        return breaker.state();
    }

    int inFlight() {
        return bulkhead.inside();
    }
}
