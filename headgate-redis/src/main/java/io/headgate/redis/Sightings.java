package io.headgate.redis;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Remembers which names have a state in Redis, as far as is known here: a call for such a name need not list the other keys that
 * could hold its state.
 *
 * <p>Only the cost of a call depends on this. Redis keeps a state until its budget is full and a second more, so its name counts as
 * seen for almost that long from when the call was sent. If the state is gone all the same, the script says so, and the call is
 * repeated with all names. The table has a fixed size, with one place for each hash: a name that is seen later replaces the earlier
 * one.
 */
final class Sightings {

    /** The size of the table, which takes one mebibyte. */
    private static final int PLACES = 1 << 17;

    /** Times are counted in units of 2^16 microseconds, about 66 milliseconds, so that one fits into half of a place. */
    private static final int UNIT = 16;

    /** How much of that extra second counts. */
    private static final long MARGIN_MICROS = 900_000;

    /** The longest time for which a name counts as seen: one call a day that lists more keys than it needs does not matter. */
    private static final Duration LONGEST = Duration.ofDays(1);

    /** In the upper half the hash of a name, in the lower half the time until which it counts as seen. */
    private final AtomicLongArray places = new AtomicLongArray(PLACES);

    boolean has(byte[] name, long nowMicros) {
        int hash = Arrays.hashCode(name);
        long place = places.getOpaque(hash & PLACES - 1);
        return (int) (place >> 32) == hash && (int) place - (int) (nowMicros >> UNIT) > 0;
    }

    /** Notes that the state of this name is kept for {@code resetAfter} and a second more. */
    void note(byte[] name, long nowMicros, Duration resetAfter) {
        Duration time = resetAfter.compareTo(LONGEST) < 0 ? resetAfter : LONGEST;
        int until = (int) ((nowMicros + time.toNanos() / 1_000 + MARGIN_MICROS) >> UNIT);
        int hash = Arrays.hashCode(name);
        places.setOpaque(hash & PLACES - 1, (long) hash << 32 | Integer.toUnsignedLong(until));
    }

    void forget(byte[] name) {
        places.setOpaque(Arrays.hashCode(name) & PLACES - 1, 0);
    }
}
