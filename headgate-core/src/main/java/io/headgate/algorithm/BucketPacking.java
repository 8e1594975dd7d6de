package io.headgate.algorithm;

import io.headgate.Limit;
import io.headgate.Packing;
import org.jspecify.annotations.Nullable;

/**
 * A token bucket as the one moment at which it will be full again.
 *
 * <p>The moment is counted in units of 1/n microseconds, where n/w is N/W in lowest terms: a permit takes exactly w units, so
 * nothing is rounded. Nearly every limit that people write has a small n; where the numbers would not fit, and while slots ahead
 * of now are reserved, the state stays a {@link Level}.
 */
final class BucketPacking implements Packing<Level> {

    /** Times below 2^52 microseconds (the year 2112) stay below 2^62 units. */
    private static final long MOST_UNITS = 1024;

    private static final long LARGEST_CAPACITY = 1L << 60;

    private final long n;
    private final long w;
    private final long burst;
    private final long capacity;
    private final long scale;

    private BucketPacking(long n, long w, long burst, long scale) {
        this.n = n;
        this.w = w;
        this.burst = burst;
        this.capacity = burst * w;
        this.scale = scale;
    }

    static @Nullable BucketPacking of(Limit limit) {
        long gcd = gcd(limit.permits(), limit.periodMicros());
        long n = limit.permits() / gcd;
        long w = limit.periodMicros() / gcd;
        boolean fits = n <= MOST_UNITS && w <= LARGEST_CAPACITY / limit.burst();
        return fits ? new BucketPacking(n, w, limit.burst(), gcd) : null;
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
        return free <= 0 ? 0 : free / w;
    }

    @Override
    public long fullAtMicros(long word) {
        return micros(word);
    }

    /** The whole microseconds of so many units, rounded up. */
    private long micros(long units) {
        return n == 1 ? units : (units + n - 1) / n;
    }

    /** No bucket can be further from full than its capacity; more means that a clock stepped back. */
    @Override
    public long rebase(long word, long nowMicros) {
        return Math.min(word, nowMicros * n + capacity);
    }

    @Override
    public long pack(Level state, long nowMicros) {
        if (state.used() > burst) {
            return NONE;
        }
        long fraction = (state.fraction() + scale - 1) / scale;
        return rebase(state.atMicros() * n + Math.min(fraction, n) + state.used() * w, nowMicros);
    }

    @Override
    public Level unpack(long word, long nowMicros) {
        long ahead = word - nowMicros * n;
        if (ahead <= 0) {
            return new Level(nowMicros, 0, 0, 0);
        }
        long used = (ahead + w - 1) / w;
        long at = word - used * w;
        return new Level(Math.floorDiv(at, n), (int) (Math.floorMod(at, n) * scale), (int) used, 0);
    }

    private static long gcd(long a, long b) {
        return b == 0 ? a : gcd(b, a % b);
    }
}
