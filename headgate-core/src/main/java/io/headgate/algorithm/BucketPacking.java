package io.headgate.algorithm;

import io.headgate.Limit;
import io.headgate.engine.Packing;
import org.jspecify.annotations.Nullable;

/**
 * Packs a token bucket as the one moment at which it will be full again.
 *
 * <p>The moment is counted in units of 1/n microseconds, where n/w is N/W in lowest terms: a permit takes exactly w units, so
 * nothing is rounded. Nearly all limits used in practice have a small n. The state stays a {@link Level} if the numbers would not
 * fit, while future slots are reserved, and once permits were given back out of the middle or left a gap.
 */
final class BucketPacking implements Packing<Level> {

    /** Times below 2^52 microseconds (the year 2112) stay below 2^62 units. */
    private static final long MOST_UNITS = 1024;

    /** The time until a bucket is full stays within what a {@link Divisor} can divide. */
    private static final long LARGEST_CAPACITY = Divisor.LARGEST_DIVIDEND - MOST_UNITS;

    private final Limit limit;
    private final long n;
    private final long w;
    private final long capacity;
    private final long scale;
    private final Divisor byN;
    private final Divisor byW;

    private BucketPacking(Limit limit, long n, long w, long scale) {
        this.limit = limit;
        this.n = n;
        this.w = w;
        this.capacity = limit.burst() * w;
        this.scale = scale;
        this.byN = new Divisor(n);
        this.byW = new Divisor(w);
    }

    static @Nullable BucketPacking of(Limit limit) {
        long gcd = gcd(limit.permits(), limit.periodMicros());
        long n = limit.permits() / gcd;
        long w = limit.periodMicros() / gcd;
        boolean fits = n <= MOST_UNITS && w <= LARGEST_CAPACITY / limit.burst();
        return fits ? new BucketPacking(limit, n, w, gcd) : null;
    }

    @Override
    public long waitMicros(long word, long cost, long nowMicros) {
        long excess = word + cost * w - capacity - nowMicros * n;
        return excess <= 0 ? 0 : micros(excess);
    }

    @Override
    public long take(long word, long cost, long nowMicros) {
        return Math.max(word, nowMicros * n) + cost * w;
    }

    @Override
    public long remaining(long word, long nowMicros) {
        long free = capacity - Math.max(0, word - nowMicros * n);
        return free <= 0 ? 0 : byW.divide(free);
    }

    @Override
    public long fullInMicros(long word, long nowMicros) {
        long ahead = word - nowMicros * n;
        return ahead <= 0 ? 0 : micros(ahead);
    }

    @Override
    public long moreInMicros(long word, long remaining, long nowMicros) {
        return waitMicros(word, remaining + 1, nowMicros);
    }

    /** The given units in whole microseconds, rounded up. */
    private long micros(long units) {
        return byN.divide(units + n - 1);
    }

    /** No bucket can be further from full than its capacity; a larger distance means that a clock stepped back. */
    @Override
    public long rebase(long word, long nowMicros) {
        return Math.min(word, nowMicros * n + capacity);
    }

    @Override
    public long pack(Level state, long nowMicros) {
        Level sound = state.under(limit, nowMicros);
        if (sound.used() > limit.burst()
                || sound.returned() != 0
                || !sound.gaps().isEmpty()) {
            return NONE;
        }
        long fraction = (sound.fraction() + scale - 1) / scale;
        return sound.atMicros() * n + fraction + sound.used() * w;
    }

    @Override
    public Level unpack(long word, int born, long nowMicros) {
        long ahead = word - nowMicros * n;
        return ahead <= 0 ? level(nowMicros * n, born, 0) : level(word, born, (ahead + w - 1) / w);
    }

    @Override
    public Level unpackCharged(long word, int born, long remaining) {
        return level(word, born, limit.burst() - remaining);
    }

    /** All fillings have the same {@code born}: in packed form, only time empties a bucket. */
    private Level level(long word, int born, long used) {
        long at = word - used * w;
        return new Level(
                Math.floorDiv(at, n), (int) (Math.floorMod(at, n) * scale), (int) used, born, 0, Gaps.NONE, limit);
    }

    private static long gcd(long a, long b) {
        return b == 0 ? a : gcd(b, a % b);
    }
}
