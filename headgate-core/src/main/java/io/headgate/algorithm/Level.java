package io.headgate.algorithm;

import io.headgate.Limit;
import io.headgate.Window;
import java.util.Arrays;

/**
 * How full a bucket is: so many permits were in it at a moment, and since then one flows off every W/N microseconds.
 *
 * <p>The moment is kept to the fraction of a microsecond at which a permit had just left, {@code atMicros + fraction / N}.
 * So the level is a whole number of permits at an exact time: nothing is rounded and nothing drifts. No division is needed to
 * add to a bucket that has not lost a permit since.
 *
 * @param atMicros the whole microseconds of that moment
 * @param fraction in Nths of a microsecond
 * @param used permits in the bucket at that moment; more than its capacity if slots ahead of now are reserved
 * @param born when it was last empty, in microseconds modulo 2^32: tells the charges of one filling from those before
 * @param returned permits given back out of the middle since then
 * @param pace the limit it flows off under, of which only N and W matter
 */
record Level(long atMicros, int fraction, int used, int born, int returned, Limit pace) {

    static Level empty(long nowMicros, Limit pace) {
        return new Level(nowMicros, 0, 0, (int) nowMicros, 0, pace);
    }

    /** When so many permits will have flowed off, in whole microseconds, rounded up. */
    long lossAtMicros(long permits) {
        return atMicros + Wide.ceil(permits, pace.periodMicros(), fraction, pace.permits());
    }

    /** How many permits have flowed off by now. */
    long lost(long nowMicros) {
        long elapsed = nowMicros - atMicros;
        if (elapsed <= 0) {
            return 0;
        }
        long n = pace.permits();
        long w = pace.periodMicros();
        if (Wide.fits(elapsed, n)) { // and then, nearly always, it is none or all of them, without a division
            long flow = elapsed * n - fraction;
            if (flow < w) {
                return 0;
            }
            if (Wide.fits(used, w) && flow >= used * w) {
                return used;
            }
        }
        return Math.min(used, Wide.floor(elapsed, n, -fraction, w));
    }

    /** The same level, as of the last moment until now at which a permit flowed off. */
    Level settled(long nowMicros) {
        long lost = lost(nowMicros);
        if (lost == used) {
            return empty(nowMicros, pace);
        }
        if (lost == 0) {
            return this;
        }
        long n = pace.permits();
        long w = pace.periodMicros();
        long at = atMicros + Wide.floor(lost, w, fraction, n);
        return new Level(at, (int) Wide.mod(lost, w, fraction, n), (int) (used - lost), born, returned, pace);
    }

    /**
     * The same level for another N or W, or if its moment lies ahead because a clock stepped back. What is still in it goes on to
     * flow off from now; how much of each charge that is can no longer be told, so it counts as another filling.
     */
    Level under(Limit limit, long nowMicros) {
        if (samePace(pace, limit) && atMicros <= nowMicros) {
            return this;
        }
        long left = used - lost(nowMicros);
        long since = left == 0 || atMicros > nowMicros ? 0 : sinceLoss(limit, nowMicros);
        return new Level(nowMicros - since, 0, (int) left, born + 1, 0, limit);
    }

    /**
     * How long it would have taken under that limit to get as far with the next permit as it is: rounded down, but not to
     * nothing, or a bucket that is asked under two limits in turn would never lose a permit.
     */
    private long sinceLoss(Limit limit, long nowMicros) {
        long share = Wide.mod(nowMicros - atMicros, pace.permits(), -fraction, pace.periodMicros());
        return Wide.floor(share, limit.periodMicros(), 0, pace.periodMicros()) / limit.permits();
    }

    @SuppressWarnings("ReferenceEquality") // the numbers decide if it is another
    static boolean samePace(Limit one, Limit other) {
        return one == other || (one.permits() == other.permits() && one.periodMicros() == other.periodMicros());
    }

    Level plus(long cost) {
        return new Level(atMicros, fraction, Math.toIntExact(used + cost), born, returned, pace);
    }

    /** Whether so much more can be counted: reservations may lead far beyond the capacity, but not beyond 2^31 - 1. */
    boolean counts(long cost) {
        return used + cost <= Integer.MAX_VALUE;
    }

    /** Whether nothing but time has changed the level since that charge, or since what came later was taken back. */
    boolean isStill(Level charged, long nowMicros) {
        Level now = settled(nowMicros);
        Level then = charged.settled(nowMicros);
        return now.atMicros == then.atMicros
                && now.fraction == then.fraction
                && now.used == then.used
                && now.born == then.born
                && now.returned == then.returned
                && samePace(now.pace, then.pace);
    }

    /**
     * The level without a charge that made it what {@code charged} says, or without what is left of it.
     *
     * <p>Permits flow off in the order they came, so those of the charge are the last ones of what was in the bucket then. Nobody
     * knows where permits given back since then have lain: they count as ahead of the charge, and so it as nearer to the outlet,
     * once anything has flowed off. Together, all charges can then never get back more than is there. The last charge of all
     * has nothing behind it, and giving it back does not change the place of any other.
     */
    Level without(Level charged, long cost, long nowMicros) {
        Level now = settled(nowMicros);
        if (now.born != charged.born) {
            return this;
        }
        long lost = charged.lost(nowMicros);
        long ahead = lost == 0 ? 0 : lost + (returned - charged.returned);
        int left = (int) Math.max(0, Math.min(Math.min(cost, now.used), charged.used - ahead));
        int noted = isStill(charged, nowMicros) ? returned : returned + left;
        return new Level(now.atMicros, now.fraction, now.used - left, born, noted, pace);
    }

    long[] encode() {
        return new long[] {atMicros, fraction, used, born, returned, pace.permits(), pace.periodMicros()};
    }

    static Level decode(long[] numbers) {
        if (numbers.length != 7 || numbers[1] < 0 || numbers[2] < 0) {
            throw new IllegalArgumentException("not the state of a bucket: " + Arrays.toString(numbers));
        }
        Limit pace = Limit.of(numbers[5]).per(new Window.Span(numbers[6]));
        return new Level(
                numbers[0],
                Math.toIntExact(numbers[1]),
                Math.toIntExact(numbers[2]),
                (int) numbers[3],
                (int) numbers[4],
                pace);
    }
}
