package io.headgate.engine;

import io.headgate.Algorithm;
import io.headgate.Limit;

/** A user's algorithm: what remains, and when the budget is full, follow from how long it lets costs wait. */
record DerivedAlgorithm<S>(Algorithm<S> algorithm) implements EngineAlgorithm<S> {

    @Override
    public String id() {
        return algorithm.id();
    }

    @Override
    public void check(Limit limit) {
        if (limit.permits() > 0) {
            algorithm.fresh(limit, 0);
        }
    }

    @Override
    public S fresh(Limit limit, long nowMicros) {
        return algorithm.fresh(limit, nowMicros);
    }

    @Override
    public long waitMicros(S state, Limit limit, long cost, long nowMicros) {
        return algorithm.waitMicros(state, limit, cost, nowMicros);
    }

    @Override
    public S take(S state, Limit limit, long cost, long nowMicros) {
        return algorithm.take(state, limit, cost, nowMicros);
    }

    /** Bisects: what is allowed for a cost is allowed for every smaller one. */
    @Override
    public long remaining(S state, Limit limit, long nowMicros) {
        long allowed = 0;
        long denied = limit.burst() + 1;
        while (denied - allowed > 1) {
            long cost = allowed + (denied - allowed) / 2;
            if (algorithm.waitMicros(state, limit, cost, nowMicros) == 0) {
                allowed = cost;
            } else {
                denied = cost;
            }
        }
        return allowed;
    }

    /** The budget is full when all of it is allowed at once. */
    @Override
    public long fullAtMicros(S state, Limit limit, long nowMicros) {
        long wait = algorithm.waitMicros(state, limit, limit.burst(), nowMicros);
        return wait > Long.MAX_VALUE - nowMicros ? Long.MAX_VALUE : nowMicros + wait;
    }

    @Override
    public S refund(S state, S charged, Limit limit, long cost, long nowMicros) {
        return algorithm.refund(state, charged, limit, cost, nowMicros);
    }

    @Override
    public S rebase(S state, Limit limit, long nowMicros) {
        return algorithm.rebase(state, limit, nowMicros);
    }

    @Override
    public long[] encode(S state) {
        return algorithm.encode(state);
    }

    @Override
    public S decode(long[] numbers) {
        return algorithm.decode(numbers);
    }
}
