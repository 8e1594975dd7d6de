package io.headgate.guard;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Whether the store is failing, since when, and how often it did.
 *
 * <p>An outage begins with a failure. It is over when the store answers and has not failed for {@link #CALM_MICROS}: a store that
 * answers now and then has one long outage, not many short ones, and is written about once.
 */
final class Outage {

    /** How long nothing may fail before an answer ends the outage. */
    static final long CALM_MICROS = 1_000_000;

    private final AtomicReference<@Nullable State> state = new AtomicReference<>();

    /**
     * An outage so far.
     *
     * @param lastMicros when something last failed
     * @param failures how often something did
     */
    record State(long sinceMicros, long lastMicros, long failures) {

        State again(long nowMicros) {
            return new State(sinceMicros, Math.max(lastMicros, nowMicros), failures + 1);
        }

        boolean isOverAt(long nowMicros) {
            return nowMicros - lastMicros >= CALM_MICROS;
        }
    }

    /** Something failed; true if an outage begins with it. */
    boolean fails(long nowMicros) {
        State before = state.getAndUpdate(
                known -> known == null ? new State(nowMicros, nowMicros, 1) : known.again(nowMicros));
        return before == null;
    }

    /** The store answered; the outage that is over with it, told to one caller. */
    @Nullable
    State answers(long nowMicros) {
        State known = state.get();
        return known != null && known.isOverAt(nowMicros) && state.compareAndSet(known, null) ? known : null;
    }

    /** The outage that is under way. */
    @Nullable
    State current() {
        return state.get();
    }
}
