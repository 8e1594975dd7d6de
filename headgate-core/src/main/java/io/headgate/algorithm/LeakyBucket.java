package io.headgate.algorithm;

import io.headgate.Algorithms;
import io.headgate.Limit;
import io.headgate.engine.EngineAlgorithm;

/**
 * Allows one permit every W/N: evenly spaced, without bursts. A request of cost c starts when the bucket is idle and keeps it busy
 * for c intervals; callers that can wait queue for their slots. The {@link Level} counts the intervals for which the bucket is
 * busy.
 */
final class LeakyBucket implements EngineAlgorithm<Level> {

    @Override
    public String id() {
        return Algorithms.LEAKY_BUCKET;
    }

    @Override
    public void check(Limit limit) {
        Unsupported.rejectCalendar(limit);
        Unsupported.rejectBurst(limit);
    }

    @Override
    public Level fresh(Limit limit, long nowMicros) {
        return Level.empty(nowMicros, limit);
    }

    @Override
    public long waitMicros(Level state, Limit limit, long cost, long nowMicros) {
        return Math.max(0, fullAtMicros(state, limit, nowMicros) - nowMicros);
    }

    @Override
    public Level take(Level state, Limit limit, long cost, long nowMicros) {
        return state.settled(nowMicros).plus(cost);
    }

    @Override
    public Level reserve(Level state, Limit limit, long cost, long delayMicros, long nowMicros) {
        return state.settled(nowMicros)
                .delayed(nowMicros + delayMicros, 0, cost)
                .plus(cost);
    }

    @Override
    public long remaining(Level state, Limit limit, long nowMicros) {
        return waitMicros(state, limit, 1, nowMicros) == 0 ? limit.permits() : 0;
    }

    @Override
    public long fullAtMicros(Level state, Limit limit, long nowMicros) {
        return state.lossAtMicros(state.used());
    }

    /** A slot with others behind it becomes a gap: it cannot be given to another caller without crowding them. */
    @Override
    public Level refund(Level state, Level charged, Limit limit, long cost, long nowMicros) {
        return state.withGap(charged, cost, nowMicros);
    }

    @Override
    public Level rebase(Level state, Limit limit, long nowMicros) {
        return state.under(limit, nowMicros);
    }

    @Override
    public boolean reserves(Level state, Limit limit, long cost) {
        return state.counts(cost);
    }

    @Override
    public long[] encode(Level state) {
        return state.encode();
    }

    @Override
    public Level decode(long[] numbers) {
        return Level.decode(numbers);
    }
}
