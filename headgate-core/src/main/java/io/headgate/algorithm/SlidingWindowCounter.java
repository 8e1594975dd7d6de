package io.headgate.algorithm;

import io.headgate.Algorithms;
import io.headgate.Limit;
import io.headgate.engine.EngineAlgorithm;
import java.util.Arrays;

/**
 * Estimates what was spent from two counters: all of the current window, and of the previous window the share that the sliding
 * window still covers. The estimate assumes that the permits of the previous window were evenly spread. If they were not, up to 2N
 * - 1 can pass within one W, though typically it is within a few per cent of N.
 */
final class SlidingWindowCounter implements EngineAlgorithm<SlidingWindowCounter.Counts> {

    /**
     * What was spent in a window and in the one before.
     *
     * @param startMicros when the current window starts
     * @param widthMicros how long each of the two windows is
     * @param born when a permit was first spent after both counters were 0, in microseconds modulo 2^32
     */
    record Counts(long startMicros, long widthMicros, int previous, int current, int born) {

        /** The same counts as seen in the window that contains now. */
        Counts at(long nowMicros) {
            long elapsed = nowMicros - startMicros;
            if (elapsed >= 0 && elapsed < widthMicros) {
                return this;
            }
            long start = nowMicros - Math.floorMod(nowMicros, widthMicros);
            return new Counts(start, widthMicros, start - widthMicros == startMicros ? current : 0, 0, born);
        }

        /**
         * Corrects counts that lie in the future or were made with another width: everything still spent moves into the current
         * window, where charges can no longer be distinguished. For counts in the future it is not known how far the previous
         * window had faded, but never more than {@code most} was spent at once.
         */
        Counts rebased(long nowMicros, long width, long most) {
            long spent = startMicros > nowMicros
                    ? Math.min((long) current + previous, Math.max(current, most))
                    : at(nowMicros).spent(nowMicros);
            int kept = (int) Math.min(spent, Integer.MAX_VALUE);
            return new Counts(nowMicros - Math.floorMod(nowMicros, width), width, 0, kept, born + 1);
        }

        /** The estimate, rounded up; only valid for counts that are {@link #at} the given time. */
        long spent(long nowMicros) {
            return previous == 0
                    ? current
                    : current + Wide.ceil(previous, startMicros + widthMicros - nowMicros, 0, widthMicros);
        }
    }

    @Override
    public String id() {
        return Algorithms.SLIDING_WINDOW_COUNTER;
    }

    @Override
    public void check(Limit limit) {
        Unsupported.rejectCalendar(limit);
        Unsupported.rejectBurst(limit);
    }

    @Override
    public Counts fresh(Limit limit, long nowMicros) {
        long width = limit.periodMicros();
        return new Counts(nowMicros - Math.floorMod(nowMicros, width), width, 0, 0, (int) nowMicros);
    }

    @Override
    public long waitMicros(Counts state, Limit limit, long cost, long nowMicros) {
        Counts counts = state.at(nowMicros);
        if (counts.spent(nowMicros) + cost <= limit.permits()) {
            return 0;
        }
        long room = limit.permits() - cost;
        long end = counts.startMicros + counts.widthMicros;
        return counts.current <= room
                ? allowedAt(end, counts.previous, room - counts.current, counts.widthMicros) - nowMicros
                : allowedAt(end + counts.widthMicros, counts.current, room, counts.widthMicros) - nowMicros;
    }

    /** When no more than {@code room} of a count is left, if the window in which it fades ends at {@code end}. */
    private static long allowedAt(long end, long count, long room, long width) {
        return end - Wide.floor(room, width, 0, count);
    }

    @Override
    public Counts take(Counts state, Limit limit, long cost, long nowMicros) {
        Counts counts = state.at(nowMicros);
        boolean empty = counts.current == 0 && counts.previous == 0;
        return new Counts(
                counts.startMicros,
                counts.widthMicros,
                counts.previous,
                (int) (counts.current + cost),
                empty ? (int) nowMicros : counts.born);
    }

    @Override
    public long remaining(Counts state, Limit limit, long nowMicros) {
        return Math.max(0, limit.permits() - state.at(nowMicros).spent(nowMicros));
    }

    @Override
    public long fullAtMicros(Counts state, Limit limit, long nowMicros) {
        long end = state.startMicros + state.widthMicros;
        return state.current > 0 ? end + state.widthMicros : state.previous > 0 ? end : state.startMicros;
    }

    @Override
    public Counts refund(Counts state, Counts charged, Limit limit, long cost, long nowMicros) {
        Counts now = state.at(nowMicros);
        if (now.born != charged.born) {
            return state;
        }
        if (charged.startMicros == now.startMicros) {
            return new Counts(
                    now.startMicros, now.widthMicros, now.previous, (int) Math.max(0, now.current - cost), now.born);
        }
        if (charged.startMicros == now.startMicros - now.widthMicros) {
            return new Counts(
                    now.startMicros, now.widthMicros, (int) Math.max(0, now.previous - cost), now.current, now.born);
        }
        return state;
    }

    @Override
    public Counts rebase(Counts state, Limit limit, long nowMicros) {
        boolean sound = state.startMicros <= nowMicros && state.widthMicros == limit.periodMicros();
        return sound ? state : state.rebased(nowMicros, limit.periodMicros(), limit.permits());
    }

    @Override
    public long[] encode(Counts state) {
        return new long[] {state.startMicros, state.widthMicros, state.previous, state.current, state.born};
    }

    @Override
    public Counts decode(long[] numbers) {
        if (numbers.length != 5 || numbers[1] < 1 || numbers[2] < 0 || numbers[3] < 0) {
            throw new IllegalArgumentException("not the state of a sliding counter: " + Arrays.toString(numbers));
        }
        return new Counts(
                numbers[0], numbers[1], Math.toIntExact(numbers[2]), Math.toIntExact(numbers[3]), (int) numbers[4]);
    }
}
