package io.headgate.algorithm;

import io.headgate.Limit;
import io.headgate.Window;
import io.headgate.engine.Packing;
import org.jspecify.annotations.Nullable;

/**
 * Packs a fixed window as its number since the epoch and, in the low bits, what was spent in it. Calendar windows have no numbers,
 * and a few combinations of a tiny window with a huge N have too many of them: those stay a {@link FixedWindow.Count}.
 */
final class WindowPacking implements Packing<FixedWindow.Count> {

    private final long width;
    private final long permits;
    private final int bits;
    private final long mask;

    private WindowPacking(long width, long permits, int bits) {
        this.width = width;
        this.permits = permits;
        this.bits = bits;
        this.mask = (1L << bits) - 1;
    }

    static @Nullable WindowPacking of(Limit limit) {
        int bits = Long.SIZE - Long.numberOfLeadingZeros(limit.permits());
        long numbers = Wide.LARGEST / limit.periodMicros();
        boolean fits = limit.window() instanceof Window.Span && numbers < 1L << (Long.SIZE - 1 - bits);
        return fits ? new WindowPacking(limit.periodMicros(), limit.permits(), bits) : null;
    }

    /** Whether now is in the window of the word, which never lies in the future. */
    private boolean goesOn(long word, long nowMicros) {
        return nowMicros - (word >>> bits) * width < width;
    }

    private long spent(long word, long nowMicros) {
        return goesOn(word, nowMicros) ? word & mask : 0;
    }

    /** A wait is caused only by what was spent, so now is in the window of the word. */
    @Override
    public long waitMicros(long word, long cost, long nowMicros) {
        return spent(word, nowMicros) + cost <= permits ? 0 : ((word >>> bits) + 1) * width - nowMicros;
    }

    @Override
    public long take(long word, long cost, long nowMicros) {
        return (goesOn(word, nowMicros) ? word : (nowMicros / width) << bits) + cost;
    }

    @Override
    public long remaining(long word, long nowMicros) {
        return permits - spent(word, nowMicros);
    }

    @Override
    public long fullInMicros(long word, long nowMicros) {
        long start = (word >>> bits) * width;
        return ((word & mask) == 0 ? start : start + width) - nowMicros;
    }

    @Override
    public long moreInMicros(long word, long remaining, long nowMicros) {
        return fullInMicros(word, nowMicros);
    }

    @Override
    public long rebase(long word, long nowMicros) {
        return (word >>> bits) * width <= nowMicros ? word : ((nowMicros / width) << bits) | (word & mask);
    }

    @Override
    public long pack(FixedWindow.Count state, long nowMicros) {
        long number = Math.min(nowMicros, state.endMicros() - 1) / width;
        return state.spent() > permits ? NONE : (number << bits) | state.spent();
    }

    /** Counts of different windows are born apart: if the width changes, no charge is taken for one of another window. */
    @Override
    public FixedWindow.Count unpack(long word, int born, long nowMicros) {
        long number = word >>> bits;
        return new FixedWindow.Count((number + 1) * width, (int) (word & mask), born + (int) number);
    }

    @Override
    public FixedWindow.Count unpackCharged(long word, int born, long remaining) {
        return unpack(word, born, 0);
    }
}
