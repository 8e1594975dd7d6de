package io.headgate;

import java.time.Duration;

/**
 * What one limit of a plan had left when a decision was made, and when more comes back.
 *
 * @param limit the limit
 * @param remaining the largest cost that the limit would allow now
 * @param retryAfterMicros how long until the limit allows the requested cost: 0 if it does now, {@link #NEVER} if it cannot
 * @param resetAfterMicros how long until the budget is full again if nobody asks
 * @param moreAfterMicros how long until another request could get further: {@code retryAfterMicros} if the limit does not allow the
 *     cost, else the time until more remains than now, or 0 if the budget is full
 */
public record Standing(
        Limit limit, long remaining, long retryAfterMicros, long resetAfterMicros, long moreAfterMicros) {

    /** The wait for a cost that exceeds the limit's capacity. */
    public static final long NEVER = Long.MAX_VALUE;

    /** @param moreAfterMicros ignored if the cost is not allowed */
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

    /** How the limit stands, in words: {@code 5/min: 3 remaining, full in 24s}. */
    @Override
    public String toString() {
        return words(limit, remaining, retryAfterMicros, resetAfterMicros);
    }

    static String words(Limit limit, long remaining, long retryAfterMicros, long resetAfterMicros) {
        String retry = retryAfterMicros == NEVER
                ? ", impossible"
                : retryAfterMicros == 0 ? "" : ", retry in " + Units.readable(retryAfterMicros);
        String full = resetAfterMicros == 0 ? "" : ", full in " + Units.readable(resetAfterMicros);
        return limit.written() + ": " + remaining + " remaining" + retry + full;
    }

    /** The microseconds as a {@link Duration}. */
    public static Duration duration(long micros) {
        return Duration.ofSeconds(micros / 1_000_000, micros % 1_000_000 * 1_000);
    }
}
