package io.headgate.testkit;

import io.headgate.Algorithm;
import io.headgate.Limit;

/**
 * An algorithm such as a user might write: N permits, all of which return W after the first of them was taken. It is not built
 * in, so a store has to run it through the {@link Algorithm} interface.
 */
final class Quota implements Algorithm<Quota.Used> {

    /** @param sinceMicros when the first permit was taken */
    record Used(long sinceMicros, long permits) {}

    @Override
    public String id() {
        return "quota";
    }

    @Override
    public Used fresh(Limit limit, long nowMicros) {
        return new Used(nowMicros, 0);
    }

    @Override
    public long waitMicros(Used state, Limit limit, long cost, long nowMicros) {
        return cost <= remaining(state, limit, nowMicros) ? 0 : fullAtMicros(state, limit) - nowMicros;
    }

    @Override
    public Used take(Used state, Limit limit, long cost, long nowMicros) {
        return fullAtMicros(state, limit) <= nowMicros
                ? new Used(nowMicros, cost)
                : new Used(state.sinceMicros, state.permits + cost);
    }

    @Override
    public long remaining(Used state, Limit limit, long nowMicros) {
        return fullAtMicros(state, limit) <= nowMicros ? limit.burst() : Math.max(0, limit.burst() - state.permits);
    }

    @Override
    public long fullAtMicros(Used state, Limit limit) {
        return state.permits == 0 ? state.sinceMicros : state.sinceMicros + limit.periodMicros();
    }

    @Override
    public Used rebase(Used state, Limit limit, long nowMicros) {
        return state.sinceMicros <= nowMicros ? state : new Used(nowMicros, state.permits);
    }

    @Override
    public long[] encode(Used state) {
        return new long[] {state.sinceMicros, state.permits};
    }

    @Override
    public Used decode(long[] numbers) {
        return new Used(numbers[0], numbers[1]);
    }
}
