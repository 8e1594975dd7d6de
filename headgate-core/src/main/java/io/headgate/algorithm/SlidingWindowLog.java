package io.headgate.algorithm;

import io.headgate.Algorithm;
import io.headgate.Limit;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Admits at most N permits in any W, exactly: every permit is remembered until it is W old. Each permit takes one entry, so N is
 * capped.
 *
 * <p>The entries are in a ring buffer that successive states share: a charge writes a few slots instead of copying N. So only the
 * latest state is valid; see {@link #sharesMemory}.
 */
final class SlidingWindowLog implements Algorithm<SlidingWindowLog.Log> {

    private final int most;

    /** @param most the largest N to accept */
    SlidingWindowLog(int most) {
        this.most = most;
    }

    /**
     * The permits from number {@code from} up to but excluding {@code to}, oldest first, with their times in the ring.
     *
     * @param ring the times, in an array whose length is a power of two; permit i is at index i modulo that length
     * @param chargedMicros when the charge that produced this state was made: permits of the same time are interchangeable
     * @param born when the first of these permits was spent, in microseconds modulo 2^32
     */
    @SuppressWarnings("ArrayRecordComponent") // never handed out, and never compared
    record Log(long[] ring, long from, long to, long chargedMicros, int born) {

        int spent() {
            return (int) (to - from);
        }

        long time(long number) {
            return ring[(int) number & (ring.length - 1)];
        }

        void set(long number, long time) {
            ring[(int) number & (ring.length - 1)] = time;
        }

        /** The number of the first permit that is younger than W at the given time. */
        long first(Limit limit, long nowMicros) {
            long oldest = nowMicros - limit.periodMicros();
            long first = from;
            while (first < to && time(first) <= oldest) {
                first++;
            }
            return first;
        }

        /** The same log from the given permit on, with room for {@code cost} more. */
        Log since(long first, long cost) {
            Log rest = new Log(ring, first, to, chargedMicros, born);
            long slots = rest.spent() + cost;
            return slots <= ring.length ? rest : rest.copied((int) slots);
        }

        /** The same log in a new ring with at least the given number of slots. */
        Log copied(int slots) {
            int size = Math.max(4, Integer.highestOneBit(slots - 1) << 1);
            Log copy = new Log(new long[size], from, to, chargedMicros, born);
            for (long number = from; number < to; number++) {
                copy.set(number, time(number));
            }
            return copy;
        }

        /** The same log without up to {@code cost} permits of the given time. */
        Log without(long cost, long time) {
            long end = to;
            while (end > from && time(end - 1) > time) {
                end--;
            }
            long start = end;
            while (start > from && end - start < cost && time(start - 1) == time) {
                start--;
            }
            for (long number = end; number < to; number++) {
                set(start + number - end, time(number));
            }
            return new Log(ring, from, to - (end - start), chargedMicros, born);
        }
    }

    @Override
    public String id() {
        return "sliding-window-log";
    }

    @Override
    public void check(Limit limit) {
        Refusal.ofCalendar(limit);
        Refusal.ofBurst(limit);
        if (limit.permits() > most) {
            throw new IllegalArgumentException(
                    "limit '" + limit + "': " + id() + " keeps one entry per permit and takes at most " + most
                            + " of them; sliding-window keeps the same bound in constant space");
        }
    }

    @Override
    public Log fresh(Limit limit, long nowMicros) {
        return new Log(new long[4], 0, 0, nowMicros, (int) nowMicros);
    }

    @Override
    public long waitMicros(Log state, Limit limit, long cost, long nowMicros) {
        long first = state.first(limit, nowMicros);
        long excess = state.to - first + cost - limit.permits();
        return excess <= 0 ? 0 : state.time(first + excess - 1) + limit.periodMicros() - nowMicros;
    }

    @Override
    public Log take(Log state, Limit limit, long cost, long nowMicros) {
        Log log = state.since(state.first(limit, nowMicros), cost);
        long to = log.to + cost;
        for (long number = log.to; number < to; number++) {
            log.set(number, nowMicros);
        }
        return new Log(log.ring, log.from, to, nowMicros, log.spent() == 0 ? (int) nowMicros : log.born);
    }

    @Override
    public long remaining(Log state, Limit limit, long nowMicros) {
        return Math.max(0, limit.permits() - (state.to - state.first(limit, nowMicros)));
    }

    @Override
    public long fullAtMicros(Log state, Limit limit) {
        return state.spent() == 0 ? 0 : state.time(state.to - 1) + limit.periodMicros();
    }

    @Override
    public Log refund(Log state, Log charged, Limit limit, long cost, long nowMicros) {
        boolean there = state.born == charged.born && charged.chargedMicros > nowMicros - limit.periodMicros();
        return there ? state.without(cost, charged.chargedMicros) : state;
    }

    /**
     * Counts permits from the future as spent now. Earlier charges can then no longer be distinguished from others of that time,
     * and so not be taken back.
     */
    @Override
    public Log rebase(Log state, Limit limit, long nowMicros) {
        if (state.spent() == 0 || state.time(state.to - 1) <= nowMicros) {
            return state;
        }
        Log copy = state.copied(state.ring.length);
        for (long number = copy.to - 1; number >= copy.from && copy.time(number) > nowMicros; number--) {
            copy.set(number, nowMicros);
        }
        return new Log(copy.ring, copy.from, copy.to, nowMicros, copy.born + 1);
    }

    @Override
    public boolean sharesMemory() {
        return true;
    }

    @Override
    public long[] encode(Log state) {
        long[] numbers = new long[1 + state.spent()];
        numbers[0] = state.born;
        for (int i = 1; i < numbers.length; i++) {
            numbers[i] = state.time(state.from + i - 1);
        }
        return numbers;
    }

    @Override
    public Log decode(long[] numbers) {
        boolean ordered = IntStream.range(2, numbers.length).allMatch(i -> numbers[i - 1] <= numbers[i]);
        if (numbers.length == 0 || !ordered) {
            throw new IllegalArgumentException("not the state of a sliding log: " + Arrays.toString(numbers));
        }
        int spent = numbers.length - 1;
        long charged = spent == 0 ? 0 : numbers[spent];
        Log log = new Log(new long[0], 0, 0, charged, (int) numbers[0]).copied(spent);
        System.arraycopy(numbers, 1, log.ring, 0, spent);
        return new Log(log.ring, 0, spent, charged, log.born);
    }
}
