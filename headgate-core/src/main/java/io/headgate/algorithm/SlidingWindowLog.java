package io.headgate.algorithm;

import io.headgate.Algorithms;
import io.headgate.Limit;
import io.headgate.engine.EngineAlgorithm;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Allows at most N permits in any W, exactly: every permit is remembered until it is W old. Each permit takes one entry, so N is
 * capped.
 *
 * <p>If W becomes shorter, permits are remembered for the longest W so far, since that W may return. They stay until none of them is
 * younger than that; and a log never has the times of more permits than its largest N so far, rounded up to a power of two: under a
 * limit of N, only the newest N matter. Of those that are too many it is remembered how many they were, and they count as spent when
 * the newest of them was: so what was spent stays spent if later permits are taken back.
 *
 * <p>The entries are in a ring buffer that successive states share: a charge writes a few slots instead of copying N. So only the
 * latest state is valid; see {@link #sharesMemory}.
 */
final class SlidingWindowLog implements EngineAlgorithm<SlidingWindowLog.Log> {

    /** How many numbers of an encoded state come before the permits. */
    private static final int HEAD = 5;

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
     * @param born when the first of the permits that count was spent, in microseconds modulo 2^32
     * @param keptMicros how long permits are remembered: the longest W so far
     * @param most how many permits have their times remembered at most, a power of two; 0 if none was spent yet
     * @param untimed how many earlier permits there was no room for
     * @param untimedMicros when the newest of them was spent
     */
    @SuppressWarnings("ArrayRecordComponent") // never handed out, and never compared
    record Log(
            long[] ring,
            long from,
            long to,
            long chargedMicros,
            int born,
            long keptMicros,
            long most,
            long untimed,
            long untimedMicros) {

        int spent() {
            return (int) (to - from);
        }

        boolean isEmpty() {
            return to == from && untimed == 0;
        }

        /** When the newest permit was spent; only valid if there is one. */
        long newestMicros() {
            return to > from ? time(to - 1) : untimedMicros;
        }

        /** How many permits without a time of their own are younger than that. */
        long untimedAfter(long time) {
            return untimedMicros > time ? untimed : 0;
        }

        long time(long number) {
            return ring[(int) number & (ring.length - 1)];
        }

        void set(long number, long time) {
            ring[(int) number & (ring.length - 1)] = time;
        }

        /** The number of the first permit that is younger than W at the given time. */
        long first(Limit limit, long nowMicros) {
            return after(nowMicros - limit.periodMicros());
        }

        /** The number of the first permit that was spent after the given time. */
        private long after(long time) {
            long first = from;
            long end = to;
            while (first < end && time(first) <= time) { // usually the first was
                long middle = (first + end) >>> 1;
                if (time(middle) <= time) {
                    first = middle + 1;
                } else {
                    end = middle;
                    first++;
                }
            }
            return first;
        }

        /** The same permits from the given one on, with room for {@code cost} more. */
        Log since(long first, long cost) {
            Log rest = with(ring, first, to);
            long slots = rest.spent() + cost;
            return slots <= ring.length ? rest : rest.copied((int) slots);
        }

        private Log with(long[] ring, long from, long to) {
            return new Log(ring, from, to, chargedMicros, born, keptMicros, most, untimed, untimedMicros);
        }

        /** The same log in a new ring with at least the given number of slots. */
        Log copied(int slots) {
            int size = Math.max(4, Integer.highestOneBit(slots - 1) << 1);
            Log copy = with(new long[size], from, to);
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
            return with(ring, from, to - (end - start));
        }
    }

    @Override
    public String id() {
        return Algorithms.SLIDING_WINDOW_LOG;
    }

    @Override
    public void check(Limit limit) {
        Unsupported.rejectCalendar(limit);
        Unsupported.rejectBurst(limit);
        if (limit.permits() > most) {
            throw new IllegalArgumentException(
                    "limit '" + limit + "': " + id() + " keeps one entry per permit and takes at most " + most
                            + " of them; sliding-window keeps the same bound in constant space");
        }
    }

    @Override
    public Log fresh(Limit limit, long nowMicros) {
        return new Log(new long[4], 0, 0, nowMicros, (int) nowMicros, limit.periodMicros(), 0, 0, 0);
    }

    @Override
    public long waitMicros(Log state, Limit limit, long cost, long nowMicros) {
        long first = state.first(limit, nowMicros);
        long untimed = state.untimedAfter(nowMicros - limit.periodMicros());
        long excess = untimed + state.to - first + cost - limit.permits();
        if (excess <= 0) {
            return 0;
        }
        long spent = excess <= untimed ? state.untimedMicros : state.time(first + excess - untimed - 1);
        return spent + limit.periodMicros() - nowMicros;
    }

    private static long count(Log state, Limit limit, long nowMicros) {
        return state.untimedAfter(nowMicros - limit.periodMicros()) + state.to - state.first(limit, nowMicros);
    }

    @Override
    public Log take(Log state, Limit limit, long cost, long nowMicros) {
        long first = state.after(nowMicros - state.keptMicros);
        long untimed = state.untimedAfter(nowMicros - state.keptMicros);
        boolean remembers = first < state.to || untimed > 0;
        long most = Math.max(remembers ? state.most : 0, powerOfTwo(limit.permits()));
        long from = Math.max(first, state.to + cost - most);
        long untimedMicros = from > first ? state.time(from - 1) : state.untimedMicros;
        int born = count(state, limit, nowMicros) > 0 ? state.born : (int) nowMicros;
        Log log = state.since(from, cost);
        long to = log.to + cost;
        for (long number = log.to; number < to; number++) {
            log.set(number, nowMicros);
        }
        return new Log(
                log.ring,
                log.from,
                to,
                nowMicros,
                born,
                remembers ? log.keptMicros : limit.periodMicros(),
                most,
                Math.min(untimed + from - first, Limit.MOST),
                untimedMicros);
    }

    @Override
    public long remaining(Log state, Limit limit, long nowMicros) {
        return Math.max(0, limit.permits() - count(state, limit, nowMicros));
    }

    @Override
    public long fullAtMicros(Log state, Limit limit, long nowMicros) {
        return state.isEmpty() ? 0 : state.newestMicros() + limit.periodMicros();
    }

    @Override
    public long forgettableAtMicros(Log state, Limit limit, long nowMicros) {
        return state.isEmpty() ? 0 : state.newestMicros() + Math.max(state.keptMicros, limit.periodMicros());
    }

    /** A charge as old as permits that there was no room for is not taken back: it may be one of them. */
    @Override
    public Log refund(Log state, Log charged, Limit limit, long cost, long nowMicros) {
        boolean there = state.born == charged.born
                && charged.chargedMicros > nowMicros - limit.periodMicros()
                && (state.untimed == 0 || charged.chargedMicros > state.untimedMicros);
        return there ? state.without(cost, charged.chargedMicros) : state;
    }

    /**
     * Remembers permits for W if that is longer, and counts permits from the future as spent now. Earlier charges can then no longer
     * be distinguished from others of that time, and so not be taken back.
     */
    @Override
    public Log rebase(Log state, Limit limit, long nowMicros) {
        if (state.isEmpty()) {
            return state;
        }
        long newest = state.newestMicros();
        long kept = Math.max(state.keptMicros, limit.periodMicros());
        if (newest <= nowMicros) {
            boolean same = kept == state.keptMicros || newest <= nowMicros - state.keptMicros;
            return same
                    ? state
                    : new Log(
                            state.ring,
                            state.from,
                            state.to,
                            state.chargedMicros,
                            state.born,
                            kept,
                            state.most,
                            state.untimed,
                            state.untimedMicros);
        }
        Log copy = state.copied(state.ring.length);
        for (long number = copy.to - 1; number >= copy.from && copy.time(number) > nowMicros; number--) {
            copy.set(number, nowMicros);
        }
        long untimedMicros = Math.min(state.untimedMicros, nowMicros);
        return new Log(
                copy.ring, copy.from, copy.to, nowMicros, copy.born + 1, kept, copy.most, copy.untimed, untimedMicros);
    }

    private static long powerOfTwo(long permits) {
        return permits <= 1 ? 1 : Long.highestOneBit(permits - 1) << 1;
    }

    @Override
    public boolean sharesMemory() {
        return true;
    }

    @Override
    public long[] encode(Log state) {
        long[] numbers = new long[HEAD + state.spent()];
        numbers[0] = state.born;
        numbers[1] = state.keptMicros;
        numbers[2] = state.most;
        numbers[3] = state.untimed;
        numbers[4] = state.untimedMicros;
        for (int i = HEAD; i < numbers.length; i++) {
            numbers[i] = state.time(state.from + i - HEAD);
        }
        return numbers;
    }

    @Override
    public Log decode(long[] numbers) {
        boolean ordered = IntStream.range(HEAD + 1, numbers.length).allMatch(i -> numbers[i - 1] <= numbers[i]);
        if (numbers.length < HEAD || !ordered || numbers[1] < 1 || numbers[3] < 0) {
            throw new IllegalArgumentException("not the state of a sliding log: " + Arrays.toString(numbers));
        }
        int spent = numbers.length - HEAD;
        long charged = spent == 0 ? 0 : numbers[numbers.length - 1];
        Log log = new Log(new long[0], 0, 0, charged, (int) numbers[0], numbers[1], numbers[2], numbers[3], numbers[4])
                .copied(spent);
        System.arraycopy(numbers, HEAD, log.ring, 0, spent);
        return log.with(log.ring, 0, spent);
    }
}
