package io.headgate.algorithm;

import io.headgate.Algorithm;
import io.headgate.Limit;
import java.util.Arrays;

/**
 * Never more than N in any W, in constant space: W is cut into {@value #PARTS} parts, and the current part and the
 * {@value #PARTS} before it all count in full. Together they cover at least W, so the bound is hard; a permit comes back at most
 * one part of W later than it could.
 */
final class SlidingWindow implements Algorithm<SlidingWindow.Parts> {

    private static final int PARTS = 10;
    private static final int SLOTS = PARTS + 1;

    /**
     * What was spent in each part.
     *
     * @param newest the number of the newest part, counted from the epoch
     * @param widthMicros how long a part is
     * @param spent what was spent in part i, at i modulo 11
     * @param born when the first permit of these was spent, in microseconds modulo 2^32
     */
    @SuppressWarnings("ArrayRecordComponent") // never handed out, and never compared
    record Parts(long newest, long widthMicros, int[] spent, int born) {

        /** The oldest part that counts now. */
        long oldest(long nowMicros) {
            return Math.floorDiv(nowMicros, widthMicros) - PARTS;
        }

        int of(long part) {
            return spent[(int) Math.floorMod(part, (long) SLOTS)];
        }

        /** When a part stops counting. */
        long leavesAtMicros(long part) {
            return (part + SLOTS) * widthMicros;
        }

        long total(long nowMicros) {
            long total = 0;
            for (long part = Math.max(oldest(nowMicros), newest - PARTS); part <= newest; part++) {
                total += of(part);
            }
            return total;
        }

        /** The same parts with so much more spent in one of them; parts too old to count in it are gone. */
        Parts plus(long part, long cost, int born) {
            int[] next = new int[SLOTS];
            for (long each = Math.max(part, newest) - PARTS; each <= newest; each++) {
                next[(int) Math.floorMod(each, (long) SLOTS)] = of(each);
            }
            next[(int) Math.floorMod(part, (long) SLOTS)] += (int) cost;
            return new Parts(Math.max(part, newest), widthMicros, next, born);
        }
    }

    @Override
    public String id() {
        return "sliding-window";
    }

    @Override
    public void check(Limit limit) {
        Refusal.ofCalendar(limit);
        Refusal.ofBurst(limit);
    }

    /** Rounded up, so that the parts never cover less than the window. */
    private static long width(Limit limit) {
        return (limit.periodMicros() + PARTS - 1) / PARTS;
    }

    @Override
    public Parts fresh(Limit limit, long nowMicros) {
        return empty(nowMicros, width(limit), (int) nowMicros);
    }

    private static Parts empty(long nowMicros, long width, int born) {
        return new Parts(Math.floorDiv(nowMicros, width), width, new int[SLOTS], born);
    }

    @Override
    public long waitMicros(Parts state, Limit limit, long cost, long nowMicros) {
        long excess = state.total(nowMicros) + cost - limit.permits();
        if (excess <= 0) {
            return 0;
        }
        long part = Math.max(state.oldest(nowMicros), state.newest - PARTS);
        for (long left = state.of(part); left < excess; left += state.of(part)) {
            part++;
        }
        return state.leavesAtMicros(part) - nowMicros;
    }

    @Override
    public Parts take(Parts state, Limit limit, long cost, long nowMicros) {
        int born = state.total(nowMicros) == 0 ? (int) nowMicros : state.born;
        return state.plus(Math.floorDiv(nowMicros, state.widthMicros), cost, born);
    }

    @Override
    public long remaining(Parts state, Limit limit, long nowMicros) {
        return Math.max(0, limit.permits() - state.total(nowMicros));
    }

    @Override
    public long fullAtMicros(Parts state, Limit limit) {
        for (long part = state.newest; part >= state.newest - PARTS; part--) {
            if (state.of(part) > 0) {
                return state.leavesAtMicros(part);
            }
        }
        return state.newest * state.widthMicros;
    }

    @Override
    public Parts refund(Parts state, Parts charged, Limit limit, long cost, long nowMicros) {
        boolean there = state.born == charged.born
                && state.widthMicros == charged.widthMicros
                && charged.newest >= state.newest - PARTS
                && charged.newest <= state.newest;
        return there ? state.plus(charged.newest, -Math.min(cost, state.of(charged.newest)), state.born) : state;
    }

    /** Everything that is still spent moves into the current part. */
    @Override
    public Parts rebase(Parts state, Limit limit, long nowMicros) {
        long width = width(limit);
        if (state.widthMicros == width && state.newest <= Math.floorDiv(nowMicros, width)) {
            return state;
        }
        Parts next = empty(nowMicros, width, state.born);
        return next.plus(next.newest, Math.min(state.total(nowMicros), Integer.MAX_VALUE), state.born);
    }

    @Override
    public long[] encode(Parts state) {
        long[] numbers = new long[3 + SLOTS];
        numbers[0] = state.newest;
        numbers[1] = state.widthMicros;
        numbers[2] = state.born;
        Arrays.setAll(numbers, i -> i < 3 ? numbers[i] : state.spent[i - 3]);
        return numbers;
    }

    @Override
    public Parts decode(long[] numbers) {
        if (numbers.length != 3 + SLOTS
                || numbers[1] < 1
                || Arrays.stream(numbers).skip(3).anyMatch(spent -> spent < 0)) {
            throw new IllegalArgumentException("not the state of a sliding window: " + Arrays.toString(numbers));
        }
        int[] spent = Arrays.stream(numbers).skip(3).mapToInt(Math::toIntExact).toArray();
        return new Parts(numbers[0], numbers[1], spent, (int) numbers[2]);
    }
}
