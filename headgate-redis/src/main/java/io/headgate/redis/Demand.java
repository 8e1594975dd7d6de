package io.headgate.redis;

import io.headgate.Key;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How often keys are asked for. Time is cut into spans, and what was counted in one is forgotten with the first request of another.
 *
 * <p>The table has a fixed size, with one place for each hash: keys that share one look busier than they are, which costs calls and
 * nothing else.
 */
final class Demand {

    private static final int PLACE_BITS = 12;

    /** The lower bits of a place are the count, the others the span it was made in. */
    private static final int COUNT_BITS = 16;

    private static final int MOST = (1 << COUNT_BITS) - 1;

    private final long spanNanos;
    private final AtomicLongArray places = new AtomicLongArray(1 << PLACE_BITS);

    Demand(long spanNanos) {
        this.spanNanos = spanNanos;
    }

    /** Counts a request for the key; how many there have been in this span. */
    int count(Key key, long nowNanos) {
        int place = (key.hashCode() * 0x9E3779B9) >>> (Integer.SIZE - PLACE_BITS);
        long span = Math.floorDiv(nowNanos, spanNanos) << COUNT_BITS;
        long last = places.get(place);
        long count = (last & ~MOST) == span ? Math.min(MOST, (last & MOST) + 1) : 1;
        places.set(place, span | count); // if another is lost by that, it does not matter
        return (int) count;
    }
}
