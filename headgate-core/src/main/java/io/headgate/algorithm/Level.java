package io.headgate.algorithm;

import java.util.Arrays;

/**
 * How full a bucket is: so many permits were in it at a moment, and since then one flows off every W/N microseconds.
 *
 * <p>The moment is kept to the fraction of a microsecond at which a permit had just left, {@code atMicros + fraction / N}.
 * So the level is a whole number of permits at an exact time: nothing is rounded, nothing drifts, and permits are still
 * permits when the limit's numbers change. No division is needed to add to a bucket that has not lost a permit since.
 *
 * @param atMicros the whole microseconds of that moment
 * @param fraction in Nths of a microsecond
 * @param used permits in the bucket at that moment; more than its capacity if slots ahead of now are reserved
 * @param born when it was last empty, in microseconds modulo 2^32: tells the charges of one filling from those before
 */
record Level(long atMicros, int fraction, int used, int born) {

    static Level empty(long nowMicros) {
        return new Level(nowMicros, 0, 0, (int) nowMicros);
    }

    /** When so many permits will have flowed off, in whole microseconds, rounded up. */
    long lossAtMicros(long permits, long n, long w) {
        return atMicros + Wide.ceil(permits, w, fraction(n), n);
    }

    /** How many permits have flowed off by now. */
    long lost(long nowMicros, long n, long w) {
        long elapsed = nowMicros - atMicros;
        if (elapsed <= 0) {
            return 0;
        }
        if (Wide.fits(elapsed, n)) { // and then, nearly always, it is none or all of them, without a division
            long flow = elapsed * n - fraction(n);
            if (flow < w) {
                return 0;
            }
            if (Wide.fits(used, w) && flow >= used * w) {
                return used;
            }
        }
        return Math.min(used, Wide.floor(elapsed, n, -fraction(n), w));
    }

    /** The same level, as of the last moment until now at which a permit flowed off. */
    Level settled(long nowMicros, long n, long w) {
        long lost = lost(nowMicros, n, w);
        if (lost == used) {
            return empty(nowMicros);
        }
        if (lost == 0) {
            return this;
        }
        long at = atMicros + Wide.floor(lost, w, fraction(n), n);
        return new Level(at, (int) Wide.mod(lost, w, fraction(n), n), (int) (used - lost), born);
    }

    /** The same level from now on, if its moment lies ahead because a clock stepped back. */
    Level notAhead(long nowMicros) {
        return atMicros > nowMicros ? new Level(nowMicros, 0, used, born) : this;
    }

    Level plus(long cost) {
        return new Level(atMicros, fraction, Math.toIntExact(used + cost), born);
    }

    /** Whether so much more can be counted: reservations may lead far beyond the capacity, but not beyond 2^31 - 1. */
    boolean counts(long cost) {
        return used + cost <= Integer.MAX_VALUE;
    }

    /**
     * How much is left now of a charge that made the level what {@code charged} says. Permits flow off in the order they came,
     * so those of the charge are the last ones of what was in the bucket then.
     */
    long leftOf(Level charged, long cost, long nowMicros, long n, long w) {
        long left = charged.used - charged.lost(nowMicros, n, w);
        return born == charged.born ? Math.max(0, Math.min(Math.min(cost, used), left)) : 0;
    }

    /** The fraction, which counts as a whole microsecond if it was written under a larger N. */
    private long fraction(long n) {
        return Math.min(fraction, n);
    }

    long[] encode() {
        return new long[] {atMicros, fraction, used, born};
    }

    static Level decode(long[] numbers) {
        if (numbers.length != 4 || numbers[1] < 0 || numbers[2] < 0) {
            throw new IllegalArgumentException("not the state of a bucket: " + Arrays.toString(numbers));
        }
        return new Level(numbers[0], Math.toIntExact(numbers[1]), Math.toIntExact(numbers[2]), (int) numbers[3]);
    }
}
