package io.headgate.redis.pipeline;

import io.headgate.Key;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts how often keys are asked for. Time is divided into spans, and the counts of one span are dropped in the next.
 *
 * <p>The table has a fixed size, with one place for each hash: a request for another key takes over the place and starts at one. So
 * among many keys a busy one may go unnoticed, which costs calls and nothing else.
 */
final class DemandEstimate {

    private static final int PLACE_BITS = 12;

    /** A place contains a count in its lower bits, then the span of the count, then bits that tell keys apart. */
    private static final int COUNT_BITS = 16;

    private static final int MOST = (1 << COUNT_BITS) - 1;
    private static final int SPAN_BITS = 28;

    private final long spanNanos;
    private final AtomicLongArray places = new AtomicLongArray(1 << PLACE_BITS);

    DemandEstimate(long spanNanos) {
        this.spanNanos = spanNanos;
    }

    /** Counts a request for the key and returns how many there have been in this span. */
    int count(Key key, long nowNanos) {
        int hash = key.hashCode() * 0x9E3779B9;
        int place = hash >>> (Integer.SIZE - PLACE_BITS);
        long span = Math.floorDiv(nowNanos, spanNanos) & ((1 << SPAN_BITS) - 1);
        long same = ((long) hash << (SPAN_BITS + COUNT_BITS)) | (span << COUNT_BITS);
        long last = places.get(place);
        long count = (last & ~MOST) == same ? Math.min(MOST, (last & MOST) + 1) : 1;
        places.set(place, same | count); // may lose a concurrent count, which does not matter
        return (int) count;
    }
}
