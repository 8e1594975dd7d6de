package io.headgate.http.response;

import io.headgate.Limit;
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

    /** How long until the limit admits more than it does now; {@link #NONE} if that will never be, or it is full. */
    static long untilMore(Standing standing) {
        if (standing.retryAfterMicros() == Standing.NEVER) {
            return NONE;
        }
        if (standing.retryAfterMicros() > 0) {
            return retry(standing.retryAfterMicros());
        }
        long missing = standing.limit().burst() - standing.remaining();
        return missing <= 0 || standing.resetAfterMicros() <= 0 ? NONE : retry(untilMoreMicros(standing, missing));
    }

    /**
     * A token bucket gains a permit every W/N, the last one when it is full. The other algorithms do not say when the next one
     * comes back; at the latest it is when all are.
     */
    private static long untilMoreMicros(Standing standing, long missing) {
        Limit limit = standing.limit();
        long reset = standing.resetAfterMicros();
        boolean fits = Math.multiplyHigh(missing - 1, limit.periodMicros()) == 0;
        if (!limit.algorithm().equals(Limit.DEFAULT_ALGORITHM) || !fits) {
            return reset;
        }
        long rest = (missing - 1) * limit.periodMicros();
        return rest < 0 ? reset : Math.max(1, reset - rest / limit.permits());
    }
}
