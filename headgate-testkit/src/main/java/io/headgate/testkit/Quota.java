package io.headgate.testkit;

import io.headgate.Algorithm;
import io.headgate.Limit;

/**
 * An algorithm such as a user might write: N permits, all of which return W after the first of them was taken. It is not built
 * in, so a store has to run it through the {@link Algorithm} interface.
 */
final class Quota implements Algorithm<Quota.Used> {

    /** @param untilMicros when all permits return */
    record Used(long untilMicros, long permits) {}

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
        return cost <= remaining(state, limit, nowMicros) ? 0 : state.untilMicros - nowMicros;
    }

    @Override
    public Used take(Used state, Limit limit, long cost, long nowMicros) {
        return state.untilMicros <= nowMicros
                ? new Used(nowMicros + limit.periodMicros(), cost)
                : new Used(state.untilMicros, state.permits + cost);
    }

    private static long remaining(Used state, Limit limit, long nowMicros) {
        return state.untilMicros <= nowMicros ? limit.burst() : Math.max(0, limit.burst() - state.permits);
    }

    @Override
    public Used rebase(Used state, Limit limit, long nowMicros) {
        long latest = nowMicros + limit.periodMicros(); // passed if W became shorter, or a clock stepped back
        return state.untilMicros <= latest ? state : new Used(latest, state.permits);
    }

    @Override
    public long[] encode(Used state) {
        return new long[] {state.untilMicros, state.permits};
    }

    @Override
    public Used decode(long[] numbers) {
        return new Used(numbers[0], numbers[1]);
    }
}
