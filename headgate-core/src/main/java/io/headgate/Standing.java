package io.headgate;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * How one limit of a plan stood when a decision was made.
 *
 * @param limit the limit
 * @param remaining the largest cost it would admit now
 * @param retryAfterMicros how long until it admits the cost that was asked for: 0 if it does already, {@link #NEVER} if it
 *     cannot
 * @param resetAfterMicros how long until its budget is full again if nobody asks
 * @param moreAfterMicros how long until asking again gets anybody further: as {@code retryAfterMicros} if it does not admit the
 *     cost, else until more remains than does now, and 0 if nothing is missing
 */
public record Standing(
        Limit limit, long remaining, long retryAfterMicros, long resetAfterMicros, long moreAfterMicros) {

    /** The wait for a cost that exceeds the limit's capacity. */
    public static final long NEVER = Long.MAX_VALUE;

    /** @param moreAfterMicros does not matter if the cost is not admitted */
    public Standing {
        moreAfterMicros = retryAfterMicros > 0 ? retryAfterMicros : moreAfterMicros;
    }

    public Duration retryAfter() {
        return duration(retryAfterMicros);
    }

    public Duration resetAfter() {
        return duration(resetAfterMicros);
    }

    public Duration moreAfter() {
        return duration(moreAfterMicros);
    }

    static Duration duration(long micros) {
        return Duration.of(micros, ChronoUnit.MICROS);
    }
}
