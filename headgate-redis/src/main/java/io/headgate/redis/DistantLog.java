package io.headgate.redis;

import io.headgate.Algorithm;
import io.headgate.Limit;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The algorithm {@code sliding-window-log}, as far as it can be computed here: the permits themselves are in Redis, with {@code
 * sliding-window-log.lua}.
 */
final class DistantLog implements Algorithm<DistantLog.View> {

    /**
     * A summary of a log.
     *
     * @param told the reply, from which the values that the script looked up are read in order; {@code null} if there are none
     * @param used how many permits in the log count
     * @param oldestMicros when the oldest of them was spent
     * @param newestMicros when the newest permit of all was spent
     * @param born when the log began, modulo 2^32
     * @param added how many permits this call has spent in addition
     */
    record View(@Nullable ByteBuffer told, long used, long oldestMicros, long newestMicros, long born, long added) {

        View toldBy(@Nullable ByteBuffer reply) {
            return new View(reply, used, oldestMicros, newestMicros, born, added);
        }

        /** The same log, once no permit counts any more. */
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

    /** To be called once for an operation, as the script does: a value that the script looked up is read from its reply. */
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

    /** The time until the oldest permit comes back. If nothing remains even then, the cost is denied and this value is not used. */
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
