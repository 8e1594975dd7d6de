package io.headgate.guard;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Whether the store is failing, since when, and how many operations have failed.
 *
 * <p>An outage begins with a failure. It is over when the store answers and has not failed for {@link #CALM_MICROS}: a store that
 * answers now and then has one long outage, not many short ones, and is logged once.
 */
final class Outage {

    /** How long the store must not have failed before an answer ends the outage. */
    static final long CALM_MICROS = 1_000_000;

    private final AtomicReference<@Nullable State> state = new AtomicReference<>();

    /**
     * An outage so far.
     *
     * @param lastMicros when an operation or a probe last failed
     * @param failures how many operations failed
     */
    record State(long sinceMicros, long lastMicros, long failures) {

        State again(long nowMicros, int operations) {
            return new State(sinceMicros, Math.max(lastMicros, nowMicros), failures + operations);
        }

        boolean isOverAt(long nowMicros) {
            return nowMicros - lastMicros >= CALM_MICROS;
        }
    }

    /** Records that an operation failed; returns true if an outage begins with it. */
    boolean fails(long nowMicros) {
        return fails(nowMicros, nowMicros, 1);
    }

    /** Records that probes have gone unanswered since the given time; returns true if an outage begins with it. */
    boolean misses(long sinceMicros, long nowMicros) {
        return fails(sinceMicros, nowMicros, 0);
    }

    private boolean fails(long sinceMicros, long nowMicros, int operations) {
        State before = state.getAndUpdate(known ->
                known == null ? new State(sinceMicros, nowMicros, operations) : known.again(nowMicros, operations));
        return before == null;
    }

    /** Records an answer. Returns the outage that it ends, to one caller only; {@code null} if it ends none. */
    @Nullable
    State answers(long nowMicros) {
        State known = state.get();
        return known != null && known.isOverAt(nowMicros) && state.compareAndSet(known, null) ? known : null;
    }

    /** The current outage; {@code null} if there is none. */
    @Nullable
    State current() {
        return state.get();
    }
}
