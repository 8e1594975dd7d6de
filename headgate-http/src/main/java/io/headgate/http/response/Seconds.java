package io.headgate.http.response;

import io.headgate.Standing;

/** Microseconds as a client hears of them: whole seconds, rounded up, so that waiting that long is enough. */
final class Seconds {

    /** No time to tell. */
    static final long NONE = -1;

    private static final long MICROS = 1_000_000;

    private Seconds() {}

    static long ceil(long micros) {
        return -Math.floorDiv(-micros, MICROS);
    }

    /** How long until asking again is worth it: at least 1. */
    static long retry(long micros) {
        return Math.max(1, ceil(micros));
    }

    /** How long until asking again gets anybody further; {@link #NONE} if that will never be, or nothing is missing. */
    static long untilMore(Standing standing) {
        long more = standing.moreAfterMicros();
        return more == Standing.NEVER || more == 0 ? NONE : retry(more);
    }
}
