package io.headgate.algorithm;

import java.util.Arrays;

/**
 * The permits in a bucket that nobody holds any more, although others reserved slots behind them: ranges of positions, counted from the
 * outlet. They keep their positions, so that the slots behind them stay where they are, until those are given back as well.
 */
final class Gaps {

    static final Gaps NONE = new Gaps();

    /** The start and the end of each range in turn, ascending; no two ranges touch. */
    private final int[] bounds;

    private Gaps(int... bounds) {
        this.bounds = bounds;
    }

    boolean isEmpty() {
        return bounds.length == 0;
    }

    /** These gaps and the permits behind {@code from}, up to {@code to}. */
    Gaps with(int from, int to) {
        int[] all = new int[bounds.length + 2];
        int start = from;
        int end = to;
        int size = 0;
        int next = 0;
        for (; next < bounds.length && bounds[next] <= end; next += 2) {
            if (bounds[next + 1] < start) {
                all[size++] = bounds[next];
                all[size++] = bounds[next + 1];
            } else {
                start = Math.min(start, bounds[next]);
                end = Math.max(end, bounds[next + 1]);
            }
        }
        all[size++] = start;
        all[size++] = end;
        System.arraycopy(bounds, next, all, size, bounds.length - next);
        return new Gaps(Arrays.copyOf(all, size + bounds.length - next));
    }

    /** The same gaps after that many permits have flowed off. */
    Gaps after(long lost) {
        int first = 0;
        while (first < bounds.length && bounds[first + 1] <= lost) {
            first += 2;
        }
        return first == bounds.length
                ? NONE
                : new Gaps(Arrays.stream(bounds, first, bounds.length)
                        .map(bound -> (int) Math.max(0, bound - lost))
                        .toArray());
    }

    /** Where the permits end that somebody holds, in a bucket of that many. */
    int heldOf(int used) {
        int last = bounds.length - 1;
        return last > 0 && bounds[last] == used ? bounds[last - 1] : used;
    }

    /** The gaps that end before that position. */
    Gaps before(int position) {
        int last = bounds.length - 1;
        if (last < 0 || bounds[last] <= position) {
            return this;
        }
        return last == 1 ? NONE : new Gaps(Arrays.copyOf(bounds, last - 1));
    }

    /** How many permits of the gaps are behind that position. */
    long behind(long position) {
        long sum = 0;
        for (int i = 0; i < bounds.length; i += 2) {
            sum += Math.max(0, bounds[i + 1] - Math.max(position, bounds[i]));
        }
        return sum;
    }

    /** The numbers of a state, followed by the bounds. */
    long[] appendedTo(long... numbers) {
        long[] all = Arrays.copyOf(numbers, numbers.length + bounds.length);
        for (int i = 0; i < bounds.length; i++) {
            all[numbers.length + i] = bounds[i];
        }
        return all;
    }

    /**
     * The gaps that {@link #appendedTo} wrote.
     *
     * @throws IllegalArgumentException if they are not ascending, or not all in a bucket of that many permits
     */
    static Gaps of(long[] numbers, int first, long used) {
        if (first == numbers.length) {
            return NONE;
        }
        int[] bounds = new int[numbers.length - first];
        long least = -1;
        for (int i = 0; i < bounds.length; i++) {
            long bound = numbers[first + i];
            if (bound <= least || bound > used) {
                throw new IllegalArgumentException("not the gaps of a bucket: " + Arrays.toString(numbers));
            }
            bounds[i] = (int) bound;
            least = bound;
        }
        return new Gaps(bounds);
    }

    @Override
    public String toString() {
        return Arrays.toString(bounds);
    }
}
