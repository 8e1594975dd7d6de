package io.headgate.algorithm;

import io.headgate.Limit;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * What an algorithm must answer, worked out in the simplest way there is: exact numbers of any size, no packing, no rounding but
 * the last, no cleverness. Shares no code with the algorithms.
 */
abstract class Oracle {

    final BigInteger n;
    final BigInteger w;
    final BigInteger capacity;

    Oracle(Limit limit) {
        n = BigInteger.valueOf(limit.permits());
        w = BigInteger.valueOf(limit.periodMicros());
        capacity = BigInteger.valueOf(limit.burst());
    }

    static Oracle of(Limit limit) {
        return switch (limit.algorithm()) {
            case "token-bucket" -> new Bucket(limit, false);
            case "leaky-bucket" -> new Bucket(limit, true);
            case "fixed-window" -> new Fixed(limit);
            case "sliding-window-log" -> new Sliding(limit, 1, 0);
            case "sliding-window-counter" -> new Counter(limit);
            default -> new Sliding(limit, (limit.periodMicros() + 9) / 10, 10);
        };
    }

    abstract BigInteger waitMicros(BigInteger cost, BigInteger now);

    abstract BigInteger remaining(BigInteger now);

    abstract BigInteger fullAt(BigInteger now);

    abstract void take(BigInteger cost, BigInteger now);

    static BigInteger ceil(BigInteger a, BigInteger b) {
        return a.add(b).subtract(BigInteger.ONE).divide(b);
    }

    /** The least number from 0 on that has the property, which once had is kept. */
    static BigInteger least(BigInteger upTo, LongPredicate property) {
        long from = 0;
        long to = upTo.longValueExact();
        while (from < to) {
            long middle = from + (to - from) / 2;
            if (property.test(middle)) {
                to = middle;
            } else {
                from = middle + 1;
            }
        }
        return BigInteger.valueOf(from);
    }

    /** A bucket whose level is counted in Wths of a permit: N of them flow off in each microsecond. */
    private static final class Bucket extends Oracle {

        private final boolean leaky;
        private BigInteger level = BigInteger.ZERO;
        private BigInteger at = BigInteger.ZERO;

        Bucket(Limit limit, boolean leaky) {
            super(limit);
            this.leaky = leaky;
        }

        private BigInteger level(BigInteger now) {
            return level.subtract(now.subtract(at).multiply(n)).max(BigInteger.ZERO);
        }

        @Override
        BigInteger waitMicros(BigInteger cost, BigInteger now) {
            BigInteger room = leaky ? BigInteger.ZERO : capacity.subtract(cost).multiply(w);
            return ceil(level(now).subtract(room).max(BigInteger.ZERO), n);
        }

        @Override
        BigInteger remaining(BigInteger now) {
            BigInteger free = capacity.multiply(w).subtract(level(now)).divide(w);
            return leaky && level(now).signum() > 0 ? BigInteger.ZERO : free;
        }

        @Override
        BigInteger fullAt(BigInteger now) {
            return now.add(ceil(level(now), n));
        }

        @Override
        void take(BigInteger cost, BigInteger now) {
            level = level(now).add(cost.multiply(w));
            at = now;
        }
    }

    /** Every grant, with its time. */
    private abstract static class Remembering extends Oracle {

        record Grant(BigInteger at, BigInteger cost) {}

        final List<Grant> grants = new ArrayList<>();

        Remembering(Limit limit) {
            super(limit);
        }

        @Override
        void take(BigInteger cost, BigInteger now) {
            grants.add(new Grant(now, cost));
        }

        abstract BigInteger spent(BigInteger now);

        /** How long after now nothing of what was allowed can count any more. */
        abstract BigInteger horizon();

        @Override
        BigInteger remaining(BigInteger now) {
            return capacity.subtract(spent(now)).max(BigInteger.ZERO);
        }

        @Override
        BigInteger waitMicros(BigInteger cost, BigInteger now) {
            return least(
                    horizon(),
                    after -> spent(now.add(BigInteger.valueOf(after))).add(cost).compareTo(capacity) <= 0);
        }

        @Override
        BigInteger fullAt(BigInteger now) {
            return now.add(least(
                    horizon(),
                    after -> spent(now.add(BigInteger.valueOf(after))).signum() == 0));
        }

        BigInteger sum(BigInteger from, BigInteger to) {
            return grants.stream()
                    .filter(each -> each.at.compareTo(from) >= 0 && each.at.compareTo(to) < 0)
                    .map(Grant::cost)
                    .reduce(BigInteger.ZERO, BigInteger::add);
        }
    }

    private static final class Fixed extends Remembering {

        Fixed(Limit limit) {
            super(limit);
        }

        @Override
        BigInteger spent(BigInteger now) {
            BigInteger start = now.subtract(now.mod(w));
            return sum(start, start.add(w));
        }

        @Override
        BigInteger horizon() {
            return w;
        }
    }

    private static final class Counter extends Remembering {

        Counter(Limit limit) {
            super(limit);
        }

        @Override
        BigInteger spent(BigInteger now) {
            BigInteger start = now.subtract(now.mod(w));
            BigInteger covered = start.add(w).subtract(now);
            return sum(start, start.add(w))
                    .add(ceil(sum(start.subtract(w), start).multiply(covered), w));
        }

        @Override
        BigInteger horizon() {
            return w.add(w);
        }
    }

    /** What counts are the current part of the given width and so many before it; the log is the case of one microsecond. */
    private static final class Sliding extends Remembering {

        private final BigInteger width;
        private final BigInteger before;

        Sliding(Limit limit, long width, long before) {
            super(limit);
            this.width = BigInteger.valueOf(width);
            this.before = before == 0 ? w.subtract(BigInteger.ONE) : BigInteger.valueOf(before);
        }

        @Override
        BigInteger spent(BigInteger now) {
            BigInteger part = now.divide(width);
            return sum(
                    part.subtract(before).multiply(width),
                    part.add(BigInteger.ONE).multiply(width));
        }

        @Override
        BigInteger horizon() {
            return before.add(BigInteger.TWO).multiply(width);
        }
    }
}
