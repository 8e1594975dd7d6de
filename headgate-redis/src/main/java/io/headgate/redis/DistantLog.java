package io.headgate.redis;

import io.headgate.Algorithm;
import io.headgate.Limit;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The algorithm {@code sliding-window-log} as far as it can be followed from here: {@code sliding-window-log.lua} has the permits. */
final class DistantLog implements Algorithm<DistantLog.View> {

    /**
     * How a log stands.
     *
     * @param told where the script tells what else it looked up, in order; {@code null} if there is nothing to look up
     * @param used how many permits count
     * @param oldestMicros when the first of them was spent
     * @param newestMicros when the last of all was
     * @param born when the log began, modulo 2^32
     * @param added how many permits were spent since
     */
    record View(@Nullable ByteBuffer told, long used, long oldestMicros, long newestMicros, long born, long added) {

        View toldBy(@Nullable ByteBuffer reply) {
            return new View(reply, used, oldestMicros, newestMicros, born, added);
        }

        /** The same log, with no permit that still counts. */
        View empty() {
            return new View(told, 0, newestMicros, newestMicros, born, added);
        }

        View afterRefund() {
            return new View(told, next(), next(), next(), born, added);
        }

        private long next() {
            return (long) Objects.requireNonNull(told).getDouble();
        }

        long count() {
            return used + added;
        }
    }

    @Override
    public String id() {
        return "sliding-window-log";
    }

    @Override
    public View fresh(Limit limit, long nowMicros) {
        return new View(null, 0, 0, 0, nowMicros & 0xffff_ffffL, 0);
    }

    /** To be asked once for an operation, as the script does: what it has looked up is taken from what it tells. */
    @Override
    public long waitMicros(View state, Limit limit, long cost, long nowMicros) {
        long excess = state.count() + cost - limit.permits();
        if (excess <= 0) {
            return 0;
        }
        long spent = excess > state.used ? nowMicros : excess == 1 ? state.oldestMicros : state.next();
        return Math.min(spent, nowMicros) + limit.periodMicros() - nowMicros;
    }

    @Override
    public View take(View state, Limit limit, long cost, long nowMicros) {
        long born = state.count() == 0 ? nowMicros & 0xffff_ffffL : state.born;
        return new View(state.told, state.used, state.oldestMicros, nowMicros, born, state.added + cost);
    }

    @Override
    public long remaining(View state, Limit limit, long nowMicros) {
        return Math.max(0, limit.permits() - state.count());
    }

    /** Until the oldest permit comes back. If even then nothing remains, nobody asks. */
    @Override
    public long moreMicros(View state, Limit limit, long remaining, long nowMicros) {
        if (state.count() == 0) {
            return 0;
        }
        long spent = state.used == 0 ? nowMicros : Math.min(state.oldestMicros, nowMicros);
        return spent + limit.periodMicros() - nowMicros;
    }

    @Override
    public long fullAtMicros(View state, Limit limit) {
        return state.count() == 0 ? 0 : state.newestMicros + limit.periodMicros();
    }

    @Override
    public long[] encode(View state) {
        return new long[] {state.newestMicros, state.newestMicros - state.oldestMicros, state.used, state.born};
    }

    @Override
    public View decode(long[] numbers) {
        return new View(null, numbers[2], numbers[0] - numbers[1], numbers[0], numbers[3], 0);
    }
}
