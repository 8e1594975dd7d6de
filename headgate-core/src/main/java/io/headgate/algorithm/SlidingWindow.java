package io.headgate.algorithm;

import io.headgate.Algorithms;
import io.headgate.Limit;
import io.headgate.engine.EngineAlgorithm;
import java.util.Arrays;

/**
 * Allows at most N permits in any W, in constant space: W is divided into {@value #PARTS} parts, and the current part and the
 * {@value #PARTS} before it all count in full. Together they cover at least W, so the bound is strict; a permit comes back at most
 * one part of W later than it could.
 */
final class SlidingWindow implements EngineAlgorithm<SlidingWindow.Parts> {

    private static final int PARTS = 10;
    private static final int SLOTS = PARTS + 1;

    /**
     * What was spent in each part. Until a new part begins, successive states share the array of the parts before it.
     *
     * @param newest the number of the newest part, counted from the epoch
     * @param widthMicros how long a part is
     * @param earlier what was spent in the parts before the newest: part number i is at index i modulo 11
     * @param current what was spent in the newest part
     * @param total the sum over all parts
     * @param born when the first permit of these parts was spent, in microseconds modulo 2^32
     */
    @SuppressWarnings("ArrayRecordComponent") // never handed out, and never compared
    record Parts(long newest, long widthMicros, int[] earlier, int current, int total, int born) {

        private static final int[] NONE = new int[SLOTS];

        static Parts empty(long nowMicros, long width, int born) {
            return new Parts(nowMicros / width, width, NONE, 0, 0, born);
        }

        /** The number of the part that contains now: usually the newest, which saves a division. */
        long part(long nowMicros) {
            long elapsed = nowMicros - newest * widthMicros;
            return elapsed < widthMicros ? newest : nowMicros / widthMicros;
        }

        int of(long part) {
            return part == newest ? current : earlier[slot(part)];
        }

        /** When a part stops counting. */
        long leavesAtMicros(long part) {
            return (part + SLOTS) * widthMicros;
        }

        /** The oldest part that still counts when the given part is the current one. */
        long oldest(long part) {
            return Math.max(part, newest) - PARTS;
        }

        /** What still counts when the given part is the current one. */
        int totalIn(long part) {
            int left = total;
            for (long gone = newest - PARTS; gone < part - PARTS && gone <= newest; gone++) {
                left -= of(gone);
            }
            return left;
        }

        /** The same parts with {@code cost} more spent in the newest one. */
        Parts plus(int cost, int born) {
            return new Parts(newest, widthMicros, earlier, current + cost, total + cost, born);
        }

        /** The same parts with {@code cost} less spent in the given one. */
        Parts minus(long part, int cost) {
            if (part == newest) {
                return plus(-cost, born);
            }
            int[] next = earlier.clone();
            next[slot(part)] -= cost;
            return new Parts(newest, widthMicros, next, current, total - cost, born);
        }

        /** The same parts up to a later one, in which nothing is spent yet; parts that no longer count are dropped. */
        Parts until(long part) {
            int[] next = new int[SLOTS];
            for (long kept = part - PARTS; kept <= newest; kept++) {
                next[slot(kept)] = of(kept);
            }
            return new Parts(part, widthMicros, next, 0, totalIn(part), born);
        }

        private static int slot(long part) {
            return Math.floorMod(part, SLOTS);
        }
    }

    @Override
    public String id() {
        return Algorithms.SLIDING_WINDOW;
    }

    @Override
    public void check(Limit limit) {
        Unsupported.rejectCalendar(limit);
        Unsupported.rejectBurst(limit);
    }

    /** Rounded up, so that the parts never cover less than the window. */
    private static long width(Limit limit) {
        return (limit.periodMicros() + PARTS - 1) / PARTS;
    }

    @Override
    public Parts fresh(Limit limit, long nowMicros) {
        return Parts.empty(nowMicros, width(limit), (int) nowMicros);
    }

    @Override
    public long waitMicros(Parts state, Limit limit, long cost, long nowMicros) {
        long now = state.part(nowMicros);
        long excess = state.totalIn(now) + cost - limit.permits();
        if (excess <= 0) {
            return 0;
        }
        long part = state.oldest(now);
        for (long left = state.of(part); left < excess; left += state.of(part)) {
            part++;
        }
        return state.leavesAtMicros(part) - nowMicros;
    }

    @Override
    public Parts take(Parts state, Limit limit, long cost, long nowMicros) {
        long now = state.part(nowMicros);
        Parts parts = now == state.newest ? state : state.until(now);
        return parts.plus((int) cost, parts.total == 0 ? (int) nowMicros : parts.born);
    }

    @Override
    public long remaining(Parts state, Limit limit, long nowMicros) {
        return Math.max(0, limit.permits() - state.totalIn(state.part(nowMicros)));
    }

    @Override
    public long fullAtMicros(Parts state, Limit limit, long nowMicros) {
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
                && charged.newest >= nowMicros / state.widthMicros - PARTS
                && charged.newest <= state.newest;
        return there ? state.minus(charged.newest, (int) Math.min(cost, state.of(charged.newest))) : state;
    }

    /** Moves everything that is still spent into the current part, where charges can no longer be distinguished. */
    @Override
    public Parts rebase(Parts state, Limit limit, long nowMicros) {
        long width = width(limit);
        if (state.widthMicros == width && state.newest * width <= nowMicros) {
            return state;
        }
        Parts next = Parts.empty(nowMicros, width, state.born + 1);
        return next.plus(state.totalIn(nowMicros / state.widthMicros), next.born);
    }

    @Override
    public long[] encode(Parts state) {
        long[] numbers = new long[3 + SLOTS];
        numbers[0] = state.newest;
        numbers[1] = state.widthMicros;
        numbers[2] = state.born;
        for (long part = state.newest - PARTS; part <= state.newest; part++) {
            numbers[3 + Parts.slot(part)] = state.of(part);
        }
        return numbers;
    }

    @Override
    public Parts decode(long[] numbers) {
        if (numbers.length != 3 + SLOTS || numbers[1] < 1) {
            throw unreadable(numbers);
        }
        int[] spent = new int[SLOTS];
        int total = 0;
        for (int slot = 0; slot < SLOTS; slot++) {
            if (numbers[3 + slot] < 0) {
                throw unreadable(numbers);
            }
            spent[slot] = Math.toIntExact(numbers[3 + slot]);
            total += spent[slot];
        }
        return new Parts(numbers[0], numbers[1], spent, spent[Parts.slot(numbers[0])], total, (int) numbers[2]);
    }

    private static IllegalArgumentException unreadable(long[] numbers) {
        return new IllegalArgumentException("not the state of a sliding window: " + Arrays.toString(numbers));
    }
}
