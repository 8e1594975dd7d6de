package io.headgate.algorithm;

import io.headgate.Algorithms;
import io.headgate.Limit;
import io.headgate.engine.EngineAlgorithm;
import io.headgate.engine.Packing;
import org.jspecify.annotations.Nullable;

/**
 * A bucket of {@code burst} tokens that refills continuously with N tokens per W. In any interval of length W at most burst + N permits
 * pass, with exact fractions and no drift. The {@link Level} counts the tokens that were taken.
 */
final class TokenBucket implements EngineAlgorithm<Level> {

    @Override
    public String id() {
        return Algorithms.TOKEN_BUCKET;
    }

    @Override
    public void check(Limit limit) {
        Unsupported.rejectCalendar(limit);
    }

    @Override
    public Level fresh(Limit limit, long nowMicros) {
        return Level.empty(nowMicros, limit);
    }

    @Override
    public long waitMicros(Level state, Limit limit, long cost, long nowMicros) {
        return waitMicros(state, state.used() + cost - Math.min(cost, state.free(limit.burst())), limit, nowMicros);
    }

    @Override
    public long slotMicros(Level state, Limit limit, long cost, long nowMicros) {
        return waitMicros(state, state.used() + cost, limit, nowMicros);
    }

    /** How long until so many permits fit in the bucket. */
    private static long waitMicros(Level state, long permits, Limit limit, long nowMicros) {
        long excess = permits - limit.burst();
        if (excess <= 0) {
            return 0;
        }
        return Math.max(0, state.lossAtMicros(excess) - nowMicros);
    }

    @Override
    public Level take(Level state, Limit limit, long cost, long nowMicros) {
        return state.settled(nowMicros).plus(cost);
    }

    @Override
    public Level reserve(Level state, Limit limit, long cost, long delayMicros, long nowMicros) {
        return state.settled(nowMicros)
                .delayed(nowMicros + delayMicros, limit.burst() - cost, cost)
                .plus(cost);
    }

    @Override
    public long remaining(Level state, Limit limit, long nowMicros) {
        long used = state.used() - state.lost(nowMicros);
        return Math.max(0, limit.burst() - used);
    }

    @Override
    public long fullAtMicros(Level state, Limit limit, long nowMicros) {
        return state.lossAtMicros(state.used() - state.free(limit.burst()));
    }

    /**
     * While other callers wait for slots that they reserved behind a charge, taking it back would not move them up, and the next
     * caller would share a slot with the last of them. In that case the charge becomes a gap.
     */
    @Override
    public Level refund(Level state, Level charged, Limit limit, long cost, long nowMicros) {
        return isReserved(state, limit, nowMicros)
                ? closed(state.withGap(charged, cost, nowMicros), limit, nowMicros)
                : state.without(charged, cost, nowMicros);
    }

    @Override
    public Level rebase(Level state, Limit limit, long nowMicros) {
        return closed(state.under(limit, nowMicros), limit, nowMicros);
    }

    private static boolean isReserved(Level state, Limit limit, long nowMicros) {
        return state.used() > limit.burst() && state.used() - state.lost(nowMicros) > limit.burst();
    }

    /** The gaps are free once all reserved slots have begun. Until then a tighter bucket would crowd those who hold one. */
    private static Level closed(Level state, Limit limit, long nowMicros) {
        return state.gaps().isEmpty() || isReserved(state, limit, nowMicros) ? state : state.closed(limit.burst());
    }

    @Override
    public boolean reserves(Level state, Limit limit, long cost) {
        return state.counts(cost);
    }

    @Override
    public @Nullable Packing<Level> packing(Limit limit) {
        return BucketPacking.of(limit);
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
