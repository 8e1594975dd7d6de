package io.headgate.engine;

import java.util.List;

/**
 * The states of limits that were in an earlier plan of a key but are not in its current one, or are 0 there. A limit that returns continues its
 * state, so a key that is checked under two plans in turn is limited by both.
 */
public final class RetiredLimits {

    /** No retired limits, or all of them have returned. */
    public static final RetiredLimits NONE = new RetiredLimits(List.of());

    /** How many states are kept for one key, the latest ones: limits whose names never return must not accumulate. */
    static final int MOST = 32;

    private final List<LimitState> states;

    private RetiredLimits(List<LimitState> states) {
        this.states = states;
    }

    /** The given states whose budgets are not full again, the latest first. */
    static RetiredLimits of(List<LimitState> states, long nowMicros) {
        List<LimitState> needed = states.stream()
                .filter(each -> !each.full(nowMicros))
                .limit(MOST)
                .toList();
        return needed.isEmpty() ? NONE : new RetiredLimits(needed);
    }

    /** Those that have none of the given ids. */
    RetiredLimits without(List<String> ids) {
        return isEmpty()
                ? this
                : new RetiredLimits(
                        states.stream().filter(each -> !ids.contains(each.id())).toList());
    }

    List<LimitState> states() {
        return states;
    }

    public boolean isEmpty() {
        return states.isEmpty();
    }

    /** When forgetting all of these states has no visible effect any more, as far as is known now. */
    public long fullAtMicros(long nowMicros) {
        long latest = Long.MIN_VALUE;
        for (LimitState each : states) {
            latest = Math.max(latest, each.fullAtMicros(nowMicros));
        }
        return latest;
    }
}
