package io.headgate.algorithm;

import io.headgate.Algorithms;
import io.headgate.Limit;
import io.headgate.Window;
import io.headgate.engine.EngineAlgorithm;
import io.headgate.engine.Packing;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Allows N permits per window. Windows are aligned to the epoch, or are days, weeks or months of a calendar. Around the boundary of
 * two windows, up to 2N permits can pass within one W.
 */
final class FixedWindow implements EngineAlgorithm<FixedWindow.Count> {

    /**
     * What was spent in a window.
     *
     * @param endMicros when that window ends. The count applies to every window that starts before this time: to its own and, after
     *     a change of the period, to the one that overlaps it
     * @param born when the first permit of this count was spent, in microseconds modulo 2^32
     */
    record Count(long endMicros, int spent, int born) {}

    @Override
    public String id() {
        return Algorithms.FIXED_WINDOW;
    }

    @Override
    public void check(Limit limit) {
        Unsupported.rejectBurst(limit);
    }

    @Override
    public Count fresh(Limit limit, long nowMicros) {
        return new Count(limit.window().endMicros(nowMicros), 0, (int) nowMicros);
    }

    @Override
    public long waitMicros(Count state, Limit limit, long cost, long nowMicros) {
        return spent(state, limit, nowMicros) + cost <= limit.permits()
                ? 0
                : limit.window().endMicros(nowMicros) - nowMicros;
    }

    @Override
    public Count take(Count state, Limit limit, long cost, long nowMicros) {
        long spent = spent(state, limit, nowMicros);
        return new Count(
                limit.window().endMicros(nowMicros), (int) (spent + cost), spent == 0 ? (int) nowMicros : state.born);
    }

    @Override
    public long remaining(Count state, Limit limit, long nowMicros) {
        return Math.max(0, limit.permits() - spent(state, limit, nowMicros));
    }

    @Override
    public long fullAtMicros(Count state, Limit limit, long nowMicros) {
        Window window = limit.window();
        return state.spent == 0 ? window.startMicros(state.endMicros - 1) : window.endMicros(state.endMicros - 1);
    }

    @Override
    public Count refund(Count state, Count charged, Limit limit, long cost, long nowMicros) {
        long start = limit.window().startMicros(nowMicros);
        boolean there = state.born == charged.born && charged.endMicros > start && state.endMicros > start;
        return there ? new Count(state.endMicros, (int) Math.max(0, state.spent - cost), state.born) : state;
    }

    @Override
    public Count rebase(Count state, Limit limit, long nowMicros) {
        long end = limit.window().endMicros(nowMicros);
        boolean counts = state.endMicros > limit.window().startMicros(nowMicros);
        return counts && state.endMicros != end ? new Count(end, state.spent, state.born) : state;
    }

    private static long spent(Count state, Limit limit, long nowMicros) {
        return state.endMicros > limit.window().startMicros(nowMicros) ? state.spent : 0;
    }

    @Override
    public @Nullable Packing<Count> packing(Limit limit) {
        return WindowPacking.of(limit);
    }

    @Override
    public long[] encode(Count state) {
        return new long[] {state.endMicros, state.spent, state.born};
    }

    @Override
    public Count decode(long[] numbers) {
        if (numbers.length != 3 || numbers[1] < 0) {
            throw new IllegalArgumentException("not the state of a fixed window: " + Arrays.toString(numbers));
        }
        return new Count(numbers[0], Math.toIntExact(numbers[1]), (int) numbers[2]);
    }
}
