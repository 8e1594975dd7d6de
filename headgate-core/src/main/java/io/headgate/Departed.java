package io.headgate;

import java.util.List;

/**
 * States of limits that a key's plan had before and has no more. A limit that comes back goes on where it was, so whoever is
 * asked about under two plans in turn is limited by both.
 */
public final class Departed {

    /** Nothing has departed, or all of it has come back. */
    public static final Departed NONE = new Departed(List.of());

    /** So many are remembered of one key, the latest ones: limits whose names never come again must not pile up. */
    static final int MOST = 32;

    private final List<LimitState> states;

    private Departed(List<LimitState> states) {
        this.states = states;
    }

    /** Those of the given states whose budgets are not full again, the latest first. */
    static Departed of(List<LimitState> states, long nowMicros) {
        List<LimitState> needed = states.stream()
                .filter(each -> !each.full(nowMicros))
                .limit(MOST)
                .toList();
        return needed.isEmpty() ? NONE : new Departed(needed);
    }

    List<LimitState> states() {
        return states;
    }

    public boolean isEmpty() {
        return states.isEmpty();
    }

    /** When forgetting all of them becomes invisible, as far as is known now. */
    public long fullAtMicros(long nowMicros) {
        long latest = Long.MIN_VALUE;
        for (LimitState each : states) {
            latest = Math.max(latest, each.fullAtMicros(nowMicros));
        }
        return latest;
    }
}
