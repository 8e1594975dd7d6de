package io.headgate.testkit;

import io.headgate.TimeSource;
import java.time.Duration;

/**
 * The time of a store under test, and how to move it. {@link ManualTime} is the one for stores that take their time from a
 * {@link TimeSource}; a store with a clock of its own brings its own clockwork.
 */
public interface Clockwork extends TimeSource {

    /** Lets so much time pass. */
    void advance(Duration by);

    /** Moves the time back, which no good clock does. */
    default void stepBack(Duration by) {
        throw new UnsupportedOperationException("this clock cannot be stepped back");
    }

    /**
     * Whether time moves only through this clockwork. If not, tests that compare to the microsecond are skipped, and the others
     * make do with limits so slow that a test never sees a permit return.
     */
    default boolean standsStill() {
        return true;
    }
}
