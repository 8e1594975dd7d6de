package io.headgate.guard;

import io.headgate.Decision;
import io.headgate.StoreException;
import io.headgate.StoreException.Reason;
import io.headgate.TimeSource;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The way to one part of a store with a deadline, behind a bulkhead and a breaker. Nothing is sent twice. */
final class Circuit {

    private final Bulkhead bulkhead;
    private final Breaker breaker;
    private final long deadlineMicros;
    private final TimeSource time;

    Circuit(GuardSettings settings, TimeSource time) {
        this.bulkhead = new Bulkhead(settings.callsInFlight());
        this.breaker = new Breaker(settings.failures(), settings.openFor().toNanos() / 1_000);
        this.deadlineMicros = settings.deadline().toNanos() / 1_000;
        this.time = time;
    }

    /** Places a call if that is worth while. It ends in time if somebody {@linkplain #watch watches} it, or {@linkplain #await waits}. */
    Call place(Supplier<CompletableFuture<Decision>> question) {
        if (!bulkhead.tryEnter()) {
            return Call.failed(new Unanswered(Reason.BULKHEAD, "too many calls to the store are under way"));
        }
        Breaker.Ticket ticket = breaker.ask(time.nowMicros());
        if (ticket == null) {
            bulkhead.leave();
            return Call.failed(new Unanswered(Reason.BREAKER, "the store is left alone for a moment: it kept failing"));
        }
        CompletableFuture<Decision> answer = begin(question);
        Call call = new Call(answer, failure -> breaker.report(ticket, countsAgainst(failure), time.nowMicros()));
        answer.whenComplete((decision, failure) -> {
            bulkhead.leave(); // not before: a call that is given up is still under way
            call.end(decision, failure);
        });
        return call;
    }

    /** Sees to it that the call ends at its deadline. */
    void watch(Call call) {
        if (!call.isAnswered()) {
            call.endBy(time.after(deadlineMicros), this::late);
        }
    }

    /** Holds the thread until the call is settled, or has ended at its deadline. */
    void await(Call call, CompletableFuture<Decision> settled) {
        if (!time.await(settled, deadlineMicros)) {
            call.end(null, late());
        }
    }

    /** Asks; whatever is thrown is an answer, too. */
    static CompletableFuture<Decision> begin(Supplier<CompletableFuture<Decision>> question) {
        try {
            return question.get();
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private StoreException late() {
        return new Unanswered(Reason.TIMEOUT, "the store did not answer within " + deadlineMicros / 1_000.0 + " ms");
    }

    /** Whether it was the store that failed: trouble with a single key is no reason to leave the others alone. */
    private static boolean countsAgainst(@Nullable StoreException failure) {
        return failure != null && failure.reason() != Reason.UNREADABLE && failure.reason() != Reason.CONTENTION;
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
