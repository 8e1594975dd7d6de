package io.headgate.http.response;

import io.headgate.Standing;

/** Converts microseconds to the whole seconds sent to clients, rounded up, so that waiting that long is enough. */
final class Seconds {

    /** Stands for no time: nothing is sent. */
    static final long NONE = -1;

    private static final long MICROS = 1_000_000;

    private Seconds() {}

    static long ceil(long micros) {
        return -Math.floorDiv(-micros, MICROS);
    }

    /** The seconds to wait before a retry: at least 1. */
    static long retry(long micros) {
        return Math.max(1, ceil(micros));
    }

    /** The seconds until more permits are available; {@link #NONE} if there will never be more, or the budget is full. */
    static long untilMore(Standing standing) {
        long more = standing.moreAfterMicros();
        return more == Standing.NEVER || more == 0 ? NONE : retry(more);
    }
}
