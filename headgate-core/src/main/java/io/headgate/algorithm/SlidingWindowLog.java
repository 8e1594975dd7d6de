package io.headgate.algorithm;

import io.headgate.Algorithm;
import io.headgate.Limit;
import java.util.Arrays;

/**
 * Never more than N in any W, exactly: every permit is remembered until it is W old. Costs one entry per permit, so N is
 * capped.
 *
 * <p>The entries lie in a ring that successive states share: a charge writes a few slots instead of copying N. So only the
 * latest state is valid, as {@link #sharesMemory} says.
 */
final class SlidingWindowLog implements Algorithm<SlidingWindowLog.Log> {

    /** In place of the time of a permit that was given back. */
    private static final long GIVEN_BACK = Long.MIN_VALUE;

    private final int most;

    /** @param most the largest N to accept */
    SlidingWindowLog(int most) {
        this.most = most;
    }

    /**
     * The permits from number {@code from} to before number {@code to}, oldest first, with their times in the ring.
     *
     * @param ring a power of two of slots; permit i is at i modulo its length
     * @param spent how many of them were not given back
     * @param born when the first of them was spent, in microseconds modulo 2^32
     */
    @SuppressWarnings("ArrayRecordComponent") // never handed out, and never compared
    record Log(long[] ring, long from, long to, int spent, int born) {

        long time(long number) {
            return ring[(int) number & (ring.length - 1)];
        }

        void set(long number, long time) {
            ring[(int) number & (ring.length - 1)] = time;
        }

        /** The same log without the permits that are older than the given time. */
        Log since(long oldest) {
            long first = from;
            int left = spent;
            while (first < to && time(first) <= oldest) {
                left -= time(first++) == GIVEN_BACK ? 0 : 1;
            }
            return first == from ? this : new Log(ring, first, to, left, born);
        }

        /** The same log with room for so many more. */
        Log withRoomFor(long cost) {
            if (to - from + cost <= ring.length) {
                return this;
            }
            int size = Integer.highestOneBit((int) (to - from + cost - 1)) << 1;
            Log larger = new Log(new long[size], from, to, spent, born);
            for (long number = from; number < to; number++) {
                larger.set(number, time(number));
            }
            return larger;
        }

        /** The time of the newest permit that was not given back. */
        long newest() {
            for (long number = to - 1; number >= from; number--) {
                if (time(number) != GIVEN_BACK) {
                    return time(number);
                }
            }
            return GIVEN_BACK;
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
        return new Log(new long[4], 0, 0, 0, (int) nowMicros);
    }

    @Override
    public long waitMicros(Log state, Limit limit, long cost, long nowMicros) {
        Log log = state.since(nowMicros - limit.periodMicros());
        long excess = log.spent + cost - limit.permits();
        if (excess <= 0) {
            return 0;
        }
        long number = log.from - 1;
        while (excess > 0) {
            excess -= log.time(++number) == GIVEN_BACK ? 0 : 1;
        }
        return log.time(number) + limit.periodMicros() - nowMicros;
    }

    @Override
    public Log take(Log state, Limit limit, long cost, long nowMicros) {
        Log log = state.since(nowMicros - limit.periodMicros()).withRoomFor(cost);
        long to = log.to + cost;
        for (long number = log.to; number < to; number++) {
            log.set(number, nowMicros);
        }
        return new Log(log.ring, log.from, to, (int) (log.spent + cost), log.spent == 0 ? (int) nowMicros : log.born);
    }

    @Override
    public long remaining(Log state, Limit limit, long nowMicros) {
        return Math.max(0, limit.permits() - state.since(nowMicros - limit.periodMicros()).spent);
    }

    @Override
    public long fullAtMicros(Log state, Limit limit) {
        return state.spent == 0 ? 0 : state.newest() + limit.periodMicros();
    }

    @Override
    public Log refund(Log state, Log charged, Limit limit, long cost, long nowMicros) {
        Log log = state.since(nowMicros - limit.periodMicros());
        if (log.born != charged.born) {
            return log;
        }
        int left = log.spent;
        for (long number = Math.max(log.from, charged.to - cost); number < Math.min(log.to, charged.to); number++) {
            log.set(number, GIVEN_BACK);
            left--;
        }
        return new Log(log.ring, log.from, log.to, left, log.born);
    }

    /** Permits from ahead of now were spent just now. */
    @Override
    public Log rebase(Log state, Limit limit, long nowMicros) {
        for (long number = state.to - 1; number >= state.from && state.time(number) > nowMicros; number--) {
            state.set(number, nowMicros);
        }
        return state;
    }

    @Override
    public boolean sharesMemory() {
        return true;
    }

    @Override
    public long[] encode(Log state) {
        long[] numbers = new long[2 + (int) (state.to - state.from)];
        numbers[0] = state.from;
        numbers[1] = state.born;
        for (int i = 2; i < numbers.length; i++) {
            numbers[i] = state.time(state.from + i - 2);
        }
        return numbers;
    }

    @Override
    public Log decode(long[] numbers) {
        if (numbers.length < 2) {
            throw new IllegalArgumentException("not the state of a sliding log: " + Arrays.toString(numbers));
        }
        Log log = new Log(new long[4], numbers[0], numbers[0], 0, (int) numbers[1]).withRoomFor(numbers.length - 2);
        int spent = 0;
        for (int i = 2; i < numbers.length; i++) {
            log.set(numbers[0] + i - 2, numbers[i]);
            spent += numbers[i] == GIVEN_BACK ? 0 : 1;
        }
        return new Log(log.ring, numbers[0], numbers[0] + numbers.length - 2, spent, log.born);
    }
}
