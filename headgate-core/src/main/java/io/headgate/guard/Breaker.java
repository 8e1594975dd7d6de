package io.headgate.guard;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * A circuit breaker: stops calls to a store that keeps failing, and lets one call at a time probe whether it is back.
 *
 * <p>While closed, it lets every call through and remembers the outcomes of the last {@link #REMEMBERED}; it opens when a given
 * number of them failed. While open, it stops calls for a fixed time. The next call after that is the probe: until it ends, all
 * other calls are stopped. Its success closes the breaker with a clean record, its failure opens it again. Until the
 * breaker is closed again, outcomes of calls that were let through before it opened do not count. The {@link Prober} sends probes of
 * its own, which an open breaker does not stop.
 */
final class Breaker {

    /**
     * How many outcomes are remembered: a number of calls, not a time span, so that a quiet store is judged by as many calls as a
     * busy one.
     */
    static final int REMEMBERED = 10;

    private static final State CLEAN = new State.Closed(0);

    private static final AtomicReferenceFieldUpdater<Breaker, State> STATE =
            AtomicReferenceFieldUpdater.newUpdater(Breaker.class, State.class, "state");

    /**
     * How long after its open time a breaker that gets no calls still counts as open. A cluster moves the keys of a failed node to
     * another one; after that, nobody calls the failed node again.
     */
    private static final long GONE_MICROS = 60_000_000;

    private final int failures;
    private final long openMicros;
    private volatile State state = CLEAN;

    /** How a call was let through; its holder reports the outcome once. */
    enum Ticket {
        CALL,
        PROBE
    }

    sealed interface State {

        /**
         * All calls are let through.
         *
         * @param outcomes one bit for each remembered call, the latest lowest, set if it failed
         */
        record Closed(long outcomes) implements State {}

        record Open(long untilMicros) implements State {}

        record Probing() implements State {}
    }

    /**
     * A closed breaker.
     *
     * @param failures how many failures among the remembered calls open it
     * @param openMicros how long it then stops calls
     */
    Breaker(int failures, long openMicros) {
        this.failures = failures;
        this.openMicros = openMicros;
    }

    /** Lets a call through, or returns {@code null} to stop it. */
    @Nullable
    Ticket ask(long nowMicros) {
        while (true) {
            State current = state;
            if (current instanceof State.Closed) {
                return Ticket.CALL;
            }
            if (!(current instanceof State.Open open) || nowMicros < open.untilMicros) {
                return null;
            }
            if (STATE.compareAndSet(this, current, new State.Probing())) {
                return Ticket.PROBE;
            }
        }
    }

    void report(Ticket ticket, boolean failed, long nowMicros) {
        while (true) {
            State current = state;
            State next = next(current, ticket, failed, nowMicros);
            if (next == current || STATE.compareAndSet(this, current, next)) {
                return;
            }
        }
    }

    /** The state after a report: the same instance if nothing changes, which is always so while the store is healthy. */
    private State next(State current, Ticket ticket, boolean failed, long nowMicros) {
        if (ticket == Ticket.PROBE) {
            return failed ? new State.Open(nowMicros + openMicros) : CLEAN;
        }
        if (!(current instanceof State.Closed closed)) {
            return current;
        }
        long outcomes = (closed.outcomes << 1 | (failed ? 1 : 0)) & (1L << REMEMBERED) - 1;
        if (Long.bitCount(outcomes) >= failures) {
            return new State.Open(nowMicros + openMicros);
        }
        return outcomes == closed.outcomes ? current : new State.Closed(outcomes);
    }

    /** Records the outcome of a probe that was sent without asking: an answer closes the breaker. */
    void probed(boolean failed, long nowMicros) {
        while (true) {
            State current = state;
            State next = current;
            if (current instanceof State.Closed) {
                next = next(current, Ticket.CALL, failed, nowMicros);
            } else if (current instanceof State.Open open) {
                boolean again = failed && nowMicros >= open.untilMicros;
                next = again ? new State.Open(nowMicros + openMicros) : failed ? current : CLEAN;
            }
            if (next == current || STATE.compareAndSet(this, current, next)) {
                return;
            }
        }
    }

    /**
     * Whether the breaker has opened and no call has succeeded since. A breaker that nobody has called for long after its open time
     * is not counted: its part of the store may be gone.
     */
    boolean isOpen(long nowMicros) {
        State current = state;
        return current instanceof State.Probing
                || (current instanceof State.Open open && nowMicros - open.untilMicros < GONE_MICROS);
    }

    State state() {
        return state;
    }
}
