package io.headgate.testkit;

import io.headgate.TimeSource;
import java.time.Duration;

/**
 * The clock of a store under test, which a test can move. {@link ManualTime} is the implementation for stores that take their
 * time from a {@link TimeSource}; a store with a clock of its own needs its own clock.
 */
public interface StoreClock extends TimeSource {

    /** Moves the time ahead. */
    void advance(Duration by);

    /** Moves the time back, as a faulty clock might. */
    default void stepBack(Duration by) {
        throw new UnsupportedOperationException("this clock cannot be stepped back");
    }

    /**
     * Whether time moves only through this clock. If not, tests that compare to the microsecond are skipped; the other tests
     * use limits so slow that no permit returns during a test.
     */
    default boolean standsStill() {
        return true;
    }
}
