package io.headgate.redis;

import io.headgate.Key;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Which keys have a state in Redis, as far as is known here: a call for one of them need not say where else its state could be.
 *
 * <p>Nothing depends on it but the cost of a call. A state is kept until its budget is full, so its key counts as seen for that long, at
 * the time that Redis had when it last answered; if it is gone all the same, the script says so, and the call is made
 * again with all names. The table has a fixed size, with one place for each hash: whoever is seen later takes it.
 */
final class Sightings {

    /** In a mebibyte. */
    private static final int PLACES = 1 << 17;

    /** Times are counted in units of 66 milliseconds, so that one fits into half of a place. */
    private static final int UNIT = 16;

    private static final Duration LONGEST = Duration.ofDays(1);

    /** The hash of a key, and in the lower half until when it counts as seen. */
    private final AtomicLongArray places = new AtomicLongArray(PLACES);

    private final AtomicLong nowMicros = new AtomicLong();

    boolean has(Key key) {
        int hash = key.hashCode();
        long place = places.getOpaque(place(hash));
        return (int) (place >> 32) == hash && (int) place - (int) (nowMicros.getOpaque() >> UNIT) > 0;
    }

    /** That is the time of Redis. */
    void time(long nowMicros) {
        this.nowMicros.setOpaque(nowMicros);
    }

    /** Its state will be kept for that long from now. */
    void note(Key key, Duration resetAfter) {
        Duration time = resetAfter.compareTo(LONGEST) < 0 ? resetAfter : LONGEST;
        int until = (int) ((nowMicros.getOpaque() + time.toNanos() / 1_000) >> UNIT);
        int hash = key.hashCode();
        places.setOpaque(place(hash), (long) hash << 32 | Integer.toUnsignedLong(until));
    }

    void forget(Key key) {
        places.setOpaque(place(key.hashCode()), 0);
    }

    private static int place(int hash) {
        return (hash ^ hash >>> 16) & PLACES - 1;
    }
}
