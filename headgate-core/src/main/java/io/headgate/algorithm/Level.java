package io.headgate.algorithm;

import io.headgate.Limit;
import io.headgate.Window;
import java.util.Arrays;

/**
 * How full a bucket is: the number of permits in it at a moment, from which on one flows off every W/N microseconds.
 *
 * <p>The moment is one at which a permit had just left, kept to the fraction of a microsecond: {@code atMicros + fraction / N}. So
 * the level is a whole number of permits at an exact time: nothing is rounded and nothing drifts. Adding to a bucket that has not
 * lost a permit since then needs no division.
 *
 * @param atMicros the whole microseconds of that moment
 * @param fraction the rest, in Nths of a microsecond
 * @param used permits in the bucket at that moment; more than its capacity if future slots are reserved
 * @param born when the bucket was last empty, in microseconds modulo 2^32: distinguishes the charges of one filling from those of
 *     earlier ones
 * @param returned permits given back out of the middle since then
 * @param gaps permits given back out of the middle while slots behind them were reserved: still counted as used
 * @param pace the limit under which permits flow off; only its N and W matter
 */
record Level(long atMicros, int fraction, int used, int born, int returned, Gaps gaps, Limit pace) {

    static Level empty(long nowMicros, Limit pace) {
        return new Level(nowMicros, 0, 0, (int) nowMicros, 0, Gaps.NONE, pace);
    }

    /** When the given number of permits will have flowed off, in whole microseconds, rounded up. */
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
        if (Wide.fits(elapsed, n)) { // then it is nearly always none or all of them, which needs no division
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

    /** The same level at the latest moment up to now at which a permit flowed off. */
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
        return new Level(
                at, (int) Wide.mod(lost, w, fraction, n), (int) (used - lost), born, returned, gaps.after(lost), pace);
    }

    /**
     * The same level under another N or W, or corrected if its moment is in the future because a clock stepped back. What is still
     * in the bucket continues to flow off from now. How much of it belongs to which charge is no longer known, so it counts as
     * another filling without gaps.
     *
     * <p>A level that is so old that its waits could be cut before they are over is brought up to date.
     */
    Level under(Limit limit, long nowMicros) {
        if (samePace(pace, limit) && atMicros <= nowMicros) {
            return nowMicros - atMicros < Wide.LARGEST / 2 ? this : settled(nowMicros);
        }
        long left = used - lost(nowMicros);
        long since = left == 0 || atMicros > nowMicros ? 0 : sinceLoss(limit, nowMicros);
        return new Level(nowMicros - since, 0, (int) left, born + 1, 0, Gaps.NONE, limit);
    }

    /**
     * How long the next permit would have taken under the given limit to get as far as it has got. Rounded down but not dropped:
     * otherwise a bucket that is checked under two limits in turn would never lose a permit.
     */
    private long sinceLoss(Limit limit, long nowMicros) {
        long share = Wide.mod(nowMicros - atMicros, pace.permits(), -fraction, pace.periodMicros());
        return Wide.floor(share, limit.periodMicros(), 0, pace.periodMicros()) / limit.permits();
    }

    @SuppressWarnings("ReferenceEquality") // other instances are compared by their numbers
    static boolean samePace(Limit one, Limit other) {
        return one == other || (one.permits() == other.permits() && one.periodMicros() == other.periodMicros());
    }

    Level plus(long cost) {
        return new Level(atMicros, fraction, Math.toIntExact(used + cost), born, returned, gaps, pace);
    }

    /**
     * The level with a gap at its end, so that a slot behind it begins no earlier than at the given time; as it is if it needs none, or
     * if so many permits cannot be counted.
     *
     * @param room how many permits may still be in the bucket when the slot begins
     * @param cost what is added then
     */
    Level delayed(long untilMicros, long room, long cost) {
        long elapsed = untilMicros - atMicros - 1;
        long lost = elapsed <= 0 ? 1 : 1 + Wide.floor(elapsed, pace.permits(), -fraction, pace.periodMicros());
        long end = lost + room;
        return end <= used || end + cost > Integer.MAX_VALUE
                ? this
                : new Level(atMicros, fraction, (int) end, born, returned, gaps.with(used, (int) end), pace);
    }

    /** Whether the cost can be added: reservations may go far beyond the capacity, but not beyond 2^31 - 1. */
    boolean counts(long cost) {
        return used + cost <= Integer.MAX_VALUE;
    }

    /** Whether only time has changed the level since that charge, or since every later charge was taken back. */
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
     * The level without the charge that produced {@code charged}, or without what is left of that charge.
     *
     * <p>Permits flow off in the order they came, so those of the charge are the last ones of what was in the bucket then. The
     * positions of permits given back since then are not known. Once anything has flowed off, they count as ahead of the charge,
     * and so the charge counts as nearer to the outlet. All charges together can then never get back more than is there. The last
     * charge of all has nothing behind it, and giving it back does not change the position of any other.
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
        return new Level(now.atMicros, now.fraction, now.used - left, born, noted, now.gaps, pace);
    }

    /**
     * The level without the charge that produced {@code charged}, while slots are reserved. If nobody holds a permit behind the
     * charge, everything behind the last permit that somebody holds is given back. Otherwise the charge becomes a gap: the slots
     * behind it are known to their callers, and one that ended earlier would crowd them.
     *
     * <p>If permits were given back out of the middle since the charge, its position is not known. It then counts as nearer to the
     * outlet, as above, so that a permit that somebody holds is never given back: to reach it, the gaps would have to cover
     * everything behind it, and at most the charges behind it can be there.
     */
    Level withGap(Level charged, long cost, long nowMicros) {
        Level now = settled(nowMicros);
        Level then = charged.settled(nowMicros);
        if (now.born != then.born
                || now.atMicros != then.atMicros
                || now.fraction != then.fraction
                || !samePace(now.pace, then.pace)) {
            return this;
        }
        long end = Math.min(now.used, then.used - Math.max(0, returned - charged.returned));
        int from = (int) Math.max(0, end - cost);
        if (end <= from) {
            return this;
        }
        Gaps all = now.gaps.with(from, (int) end);
        int held = all.heldOf(now.used);
        return new Level(now.atMicros, now.fraction, held, born, returned, all.before(held), pace);
    }

    /** The permits of gaps that are free from when the last reserved slot begins, in a bucket of that capacity. */
    long free(long burst) {
        return gaps.isEmpty() ? 0 : gaps.behind(used - burst);
    }

    /**
     * The level without its gaps, for a bucket of that capacity in which all reserved slots have begun. They count as free from when
     * the last one began, even if nobody came by then: that is what others were told to wait for.
     */
    Level closed(long burst) {
        int free = (int) free(burst);
        return new Level(atMicros, fraction, used - free, born, returned + free, Gaps.NONE, pace);
    }

    long[] encode() {
        return gaps.appendedTo(atMicros, fraction, used, born, returned, pace.permits(), pace.periodMicros());
    }

    static Level decode(long[] numbers) {
        if (numbers.length < 7 || numbers.length % 2 == 0 || numbers[1] < 0 || numbers[2] < 0) {
            throw new IllegalArgumentException("not the state of a bucket: " + Arrays.toString(numbers));
        }
        Limit pace = Limit.of(numbers[5]).per(new Window.Span(numbers[6]));
        return new Level(
                numbers[0],
                Math.toIntExact(numbers[1]),
                Math.toIntExact(numbers[2]),
                (int) numbers[3],
                (int) numbers[4],
                Gaps.of(numbers, 7, numbers[2]),
                pace);
    }
}
