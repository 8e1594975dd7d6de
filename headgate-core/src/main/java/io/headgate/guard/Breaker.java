package io.headgate.guard;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Stops asking a store that keeps failing, and lets one call at a time find out whether it is back.
 *
 * <p>Closed, it lets every call through and remembers what came of the last {@link #REMEMBERED}; when so many of them failed it
 * opens. Open, it refuses for a fixed time. Then the next caller is the probe: while it is under way all others are refused, its
 * success closes the breaker with a clean record, its failure opens it again. What calls report that were let through before the
 * breaker opened no longer counts.
 */
final class Breaker {

    /** How many outcomes are remembered: calls, not time, so that a quiet store is judged by as much as a busy one. */
    static final int REMEMBERED = 10;

    private static final State CLEAN = new State.Closed(0);

    private static final AtomicReferenceFieldUpdater<Breaker, State> STATE =
            AtomicReferenceFieldUpdater.newUpdater(Breaker.class, State.class, "state");

    /** A cluster gives the keys of a node that fails to another: then nobody asks for the first one again. */
    private static final long GONE_MICROS = 60_000_000;

    private final int failures;
    private final long openMicros;
    private volatile State state = CLEAN;

    /** How a call was let through; whoever holds one reports once what came of it. */
    enum Ticket {
        CALL,
        PROBE
    }

    sealed interface State {

        /**
         * All calls go through.
         *
         * @param outcomes one bit for each call that is remembered, the latest lowest, set if it failed
         */
        record Closed(long outcomes) implements State {}

        record Open(long untilMicros) implements State {}

        record Probing() implements State {}
    }

    /**
     * A closed breaker.
     *
     * @param failures how many of the remembered calls open it
     * @param openMicros how long it then refuses
     */
    Breaker(int failures, long openMicros) {
        this.failures = failures;
        this.openMicros = openMicros;
    }

    /** Lets a call through, or answers {@code null}. */
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

    /** The state after a report: the same instance if it says nothing new, which in good times is always. */
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

    /** Whether it has opened and no call has gone well since. What nobody asks for long after it might may be gone, and is not counted. */
    boolean isOpen(long nowMicros) {
        State current = state;
        return current instanceof State.Probing
                || (current instanceof State.Open open && nowMicros - open.untilMicros < GONE_MICROS);
    }

    State state() {
        return state;
    }
}
