package io.headgate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a store in process holds of one key.
 *
 * @param judge of the plan that the key was asked about under last
 * @param state its state under that plan
 * @param departed what it spent under limits that are not in that plan
 */
public record Held(Judge judge, Object state, Departed departed) {

    /** Of a key that nobody has asked about. */
    public static Held fresh(Judge judge, long nowMicros) {
        return new Held(judge, judge.fresh(nowMicros), Departed.NONE);
    }

    /** The same with another state. */
    public Held with(Object next) {
        return new Held(judge, next, departed);
    }

    /**
     * The same under another plan: each limit finds its own state by {@link Plan#ids}, or starts fresh. So does one whose budget was
     * full again by now, since a store may have forgotten it.
     */
    public Held under(Judge next, long nowMicros) {
        if (next == judge) {
            return this;
        }
        Map<String, LimitState> known = new LinkedHashMap<>();
        judge.apart(state).forEach(each -> known.put(each.id(), each));
        departed.states().forEach(each -> known.put(each.id(), each));
        Object carried = next.together(known, nowMicros);
        next.ids().forEach(known::remove);
        return new Held(next, carried, Departed.of(List.copyOf(known.values()), nowMicros));
    }

    /** When forgetting the key becomes invisible, as far as is known now. */
    public long fullAtMicros(long nowMicros) {
        return Math.max(judge.fullAtMicros(state, nowMicros), departed.fullAtMicros(nowMicros));
    }
}
