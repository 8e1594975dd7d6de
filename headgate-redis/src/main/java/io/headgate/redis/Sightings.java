package io.headgate.redis;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Which names have a state in Redis, as far as is known here: a call for one of them need not say where else its state could be.
 *
 * <p>Nothing depends on it but the cost of a call. A state is kept until its budget is full and a second more, so its name counts as
 * seen for almost that long from when the call was sent. If it is gone all the same, the script says so, and the call is made again
 * with all names. The table has a fixed size, with one place for each hash: whoever is seen later takes it.
 */
final class Sightings {

    /** In a mebibyte. */
    private static final int PLACES = 1 << 17;

    /** Times are counted in units of 66 milliseconds, so that one fits into half of a place. */
    private static final int UNIT = 16;

    /** Of the second. */
    private static final long MARGIN_MICROS = 900_000;

    /** For longer nobody is believed to be there: a call a day that says more than it needs is nothing. */
    private static final Duration LONGEST = Duration.ofDays(1);

    /** The hash of a name, and in the lower half until when it counts as seen. */
    private final AtomicLongArray places = new AtomicLongArray(PLACES);

    boolean has(byte[] name, long nowMicros) {
        int hash = Arrays.hashCode(name);
        long place = places.getOpaque(hash & PLACES - 1);
        return (int) (place >> 32) == hash && (int) place - (int) (nowMicros >> UNIT) > 0;
    }

    /** Its state is kept for that long and a second more. */
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
