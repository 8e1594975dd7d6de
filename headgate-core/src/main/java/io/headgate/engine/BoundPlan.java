package io.headgate.engine;

import io.headgate.Algorithms;
import io.headgate.Decision;
import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.Standing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A plan bound to its algorithms: the pure step from a key's state to a decision and the next state, which every in-process store
 * makes atomic in its own way.
 *
 * <p>The state of a plan is one opaque object, so that one compare-and-set replaces it: the algorithm's own state for a plan of one
 * limit; for several an array of {@linkplain PackedPlan packed} states or, if one of them cannot be packed, of states. A grant carries
 * the next state as its {@linkplain Grant#stamp stamp}, because a store needs the state right after a charge to take that charge back.
 * A step therefore need not allocate a pair of decision and state.
 *
 * <p>How a state continues under another plan is up to {@link KeyState}.
 */
public final class BoundPlan {

    private final Plan plan;
    private final List<String> ids;
    private final BoundLimit[] limits;
    private final Limit first;
    private final long capacity;
    private final boolean sharesMemory;
    private final boolean lazy;
    private final @Nullable PackedPlan packed;

    /** @throws IllegalArgumentException if an algorithm is unknown or rejects its limit */
    public BoundPlan(Plan plan, Algorithms algorithms) {
        this.plan = plan;
        this.ids = plan.ids();
        this.limits = new BoundLimit[ids.size()];
        Arrays.setAll(limits, i -> new BoundLimit(ids.get(i), plan.limits().get(i), algorithms));
        this.first = limits[0].limit;
        this.capacity = plan.limits().stream().mapToLong(Limit::burst).min().orElseThrow();
        this.sharesMemory = Arrays.stream(limits).anyMatch(BoundLimit::sharesMemory);
        this.lazy = Arrays.stream(limits).allMatch(BoundLimit::canBeReadLater);
        this.packed = PackedPlan.of(limits);
    }

    /**
     * Rejects a plan that these algorithms cannot apply.
     *
     * @throws IllegalArgumentException if an algorithm is unknown or rejects its limit
     */
    @SuppressWarnings("CheckReturnValue") // only whether it throws matters
    public static void check(Plan plan, Algorithms algorithms) {
        new BoundPlan(plan, algorithms);
    }

    public Plan plan() {
        return plan;
    }

    /** Whether the other one was bound from the same plan, to the same store. */
    public boolean isSameAs(BoundPlan other) {
        return this == other || plan.equals(other.plan);
    }

    /** As {@link Plan#ids}. */
    public List<String> ids() {
        return ids;
    }

    /** The first limit of the plan; most plans have only one. */
    public Limit limit() {
        return first;
    }

    /** The packed form of a plan of one limit; {@code null} if its algorithm has none. */
    public @Nullable Packing<Object> packing() {
        return limits.length == 1 ? limits[0].packing : null;
    }

    /** Whether the steps of one key must not overlap; see {@link EngineAlgorithm#sharesMemory}. */
    public boolean sharesMemory() {
        return sharesMemory;
    }

    /** The state of a key that has not been used yet. */
    public Object fresh(long nowMicros) {
        Object[] states = new Object[limits.length];
        Arrays.setAll(states, i -> limits[i].fresh(nowMicros));
        return together(states);
    }

    /**
     * As {@link #fresh}, packed if the limits are several and all of them can be; the states that follow are packed as well. Only for
     * stores whose time never goes back: a packed state that is ahead of now counts as spent altogether.
     */
    public Object freshPacked(long nowMicros) {
        Object fresh = fresh(nowMicros);
        return packed == null ? fresh : packed.packIfFits((Object[]) fresh, (int) nowMicros, nowMicros);
    }

    // Judging and taking.

    /** Judges the request and charges it if every limit grants it: the stamp of the grant is the next state. */
    public Decision take(Object state, String subject, long cost, long maxWaitMicros, long nowMicros) {
        return takeRebased(rebase(state, nowMicros), subject, cost, maxWaitMicros, nowMicros);
    }

    /** As {@link #take}, from a state that has been {@linkplain #rebase rebased} at this time. */
    public Decision takeRebased(Object sound, String subject, long cost, long maxWaitMicros, long nowMicros) {
        Object next = cost > capacity ? null : takeNow(sound, cost, nowMicros);
        if (next != null) {
            return granted(next, subject, cost, 0, nowMicros);
        }
        Decision denial = denial(sound, cost, maxWaitMicros, nowMicros);
        return denial != null ? denial : reserve(sound, subject, cost, nowMicros);
    }

    /** What {@link #take} would answer, without taking anything: a grant has no stamp, and its remaining permits are those of now. */
    public Decision peek(Object state, String subject, long cost, long nowMicros) {
        Object sound = rebase(state, nowMicros);
        Decision denial = denial(sound, cost, 0, nowMicros);
        return denial != null ? denial : Standings.allowed(standings(sound, cost, nowMicros), subject, cost, 0, null);
    }

    /** The state after the cost is taken; {@code null} if some limit does not grant it now. */
    private @Nullable Object takeNow(Object sound, long cost, long nowMicros) {
        if (limits.length == 1) {
            return limits[0].waitMicros(sound, cost, nowMicros) > 0 ? null : limits[0].take(sound, cost, nowMicros);
        }
        if (packed != null && sound instanceof long[] words) {
            return packed.take(words, cost, nowMicros);
        }
        Object[] states = (Object[]) sound;
        for (int i = 0; i < limits.length; i++) {
            if (limits[i].waitMicros(states[i], cost, nowMicros) > 0) {
                return null;
            }
        }
        Object[] next = new Object[limits.length];
        for (int i = 0; i < next.length; i++) {
            next[i] = limits[i].take(states[i], cost, nowMicros);
        }
        return next;
    }

    private Grant granted(Object next, String subject, long cost, long delayMicros, long nowMicros) {
        return lazy && delayMicros == 0
                ? new PlanGrant(this, subject, cost, next, nowMicros)
                : new ComputedGrant(standings(next, 0, nowMicros), subject, cost, delayMicros, next, this, nowMicros);
    }

    /** The denial; {@code null} if the cost is granted now, or in a slot that begins within the wait. */
    private @Nullable Decision denial(Object sound, long cost, long maxWaitMicros, long nowMicros) {
        Object[] states = apart(sound, nowMicros);
        List<Standing> standings = standings(states, cost, nowMicros);
        Decision impossible = Standings.impossible(standings, cost);
        if (impossible != null) {
            return impossible;
        }
        long wait = Standings.longestWait(standings);
        boolean granted = wait == 0
                || (wait <= maxWaitMicros
                        && reserves(states, cost)
                        && slotMicros(states, cost, nowMicros) <= maxWaitMicros);
        return granted ? null : Standings.denied(standings);
    }

    private Decision reserve(Object sound, String subject, long cost, long nowMicros) {
        Object[] next = apart(sound, nowMicros);
        long delay = slotMicros(next, cost, nowMicros);
        for (int i = 0; i < next.length; i++) {
            next[i] = limits[i].reserve(next[i], cost, delay, nowMicros);
        }
        return granted(together(next, sound, nowMicros), subject, cost, delay, nowMicros);
    }

    /**
     * Whether every limit can reserve a future slot. A window cannot: it would be charged now for a request that starts when the
     * window may have ended.
     */
    private boolean reserves(Object[] states, long cost) {
        for (int i = 0; i < limits.length; i++) {
            if (!limits[i].reserves(states[i], cost)) {
                return false;
            }
        }
        return true;
    }

    /** How long until the slot begins that would be reserved. */
    private long slotMicros(Object[] states, long cost, long nowMicros) {
        long longest = 0;
        for (int i = 0; i < limits.length; i++) {
            longest = Math.max(longest, limits[i].slotMicros(states[i], cost, nowMicros));
        }
        return longest;
    }

    // What changes a state otherwise.

    /**
     * The state without one earlier charge, or without what is left of that charge. If the charge was made under another plan, it
     * is taken back from the limits that both plans have in common.
     *
     * @param charged the state right after the charge, under the plan of the receipt
     * @param cost the result of {@link Grant#claimRefund}
     */
    public Object refund(Object state, Grant receipt, Object charged, long cost, long nowMicros) {
        Object sound = rebase(state, nowMicros);
        BoundPlan then = Objects.requireNonNull(receipt.chargedUnder());
        Object[] next = apart(sound, nowMicros);
        for (int i = 0; i < next.length; i++) {
            int place = then.ids.indexOf(ids.get(i));
            if (place >= 0 && limits[i].keepsState()) {
                Object part = then.charged(place, charged, receipt.chargedMicros());
                next[i] = limits[i].refund(next[i], part, cost, nowMicros);
            }
        }
        return together(next, sound, nowMicros);
    }

    /** The state of a limit right after a charge. */
    private Object charged(int place, Object charged, long chargedMicros) {
        if (packed != null && charged instanceof long[] words) {
            return packed.charged(place, words, chargedMicros);
        }
        return limits.length == 1 ? charged : ((Object[]) charged)[place];
    }

    /** The state with each limit's part {@linkplain io.headgate.Algorithm#rebase rebased}; the same instance if nothing changed. */
    public Object rebase(Object state, long nowMicros) {
        if (limits.length == 1) {
            return limits[0].rebase(state, nowMicros);
        }
        if (packed != null && state instanceof long[] words) {
            return packed.rebase(words, nowMicros);
        }
        Object[] states = (Object[]) state;
        Object[] next = states;
        for (int i = 0; i < limits.length; i++) {
            Object mended = limits[i].rebase(states[i], nowMicros);
            if (mended != states[i]) {
                next = next == states ? states.clone() : next;
                next[i] = mended;
            }
        }
        return next;
    }

    /** A state that shares no memory with the given one. */
    public Object copy(Object state) {
        if (!sharesMemory) {
            return state;
        }
        Object[] next = apart(state, 0); // states that share memory are never packed, so the time does not matter
        for (int i = 0; i < next.length; i++) {
            next[i] = limits[i].copy(next[i]);
        }
        return together(next);
    }

    // What a state says.

    /** When forgetting the state has no visible effect any more, as far as is known now. */
    public long fullAtMicros(Object state, long nowMicros) {
        Object[] states = apart(state, nowMicros);
        long latest = Long.MIN_VALUE;
        for (int i = 0; i < limits.length; i++) {
            latest = Math.max(latest, limits[i].forgettableAtMicros(states[i], nowMicros));
        }
        return latest;
    }

    /** How each limit stands, for a request of that cost; 0 for one that has been granted. */
    List<Standing> standings(Object state, long cost, long nowMicros) {
        return standings(apart(state, nowMicros), cost, nowMicros);
    }

    private List<Standing> standings(Object[] states, long cost, long nowMicros) {
        List<Standing> standings = new ArrayList<>(limits.length);
        for (int i = 0; i < limits.length; i++) {
            standings.add(limits[i].standing(states[i], cost, nowMicros));
        }
        return standings;
    }

    /** The limit with the least left. */
    Limit least(Object state, long nowMicros) {
        return Standings.least(standings(state, 0, nowMicros)).limit();
    }

    /** What remains of the limit with the least left. */
    long remaining(Object state, long nowMicros) {
        if (packed != null && state instanceof long[] words) {
            return packed.remaining(words, nowMicros);
        }
        return limits.length == 1
                ? limits[0].remaining(state, nowMicros)
                : Standings.least(standings(state, 0, nowMicros)).remaining();
    }

    /** How long until the whole budget is available. */
    long resetMicros(Object state, long nowMicros) {
        return Standings.longestReset(standings(state, 0, nowMicros));
    }

    // One state for the whole plan, and one for each limit.

    /** The limits that keep a state, with their states. */
    List<LimitState> limitStates(Object state, long nowMicros) {
        Object[] states = apart(state, nowMicros);
        List<LimitState> all = new ArrayList<>(limits.length);
        for (int i = 0; i < limits.length; i++) {
            if (limits[i].keepsState()) {
                all.add(new LimitState(limits[i], states[i]));
            }
        }
        return all;
    }

    BoundLimit[] limits() {
        return limits;
    }

    private Object[] apart(Object state, long nowMicros) {
        if (limits.length == 1) {
            return new Object[] {state};
        }
        return packed != null && state instanceof long[] words
                ? packed.unpack(words, nowMicros)
                : ((Object[]) state).clone();
    }

    /** The state of a plan whose limits have these states; not packed. */
    static Object together(Object[] states) {
        return states.length == 1 ? states[0] : states;
    }

    /** As {@link #together(Object[])}, packed if the state that it continues was. */
    private Object together(Object[] states, Object earlier, long nowMicros) {
        return packed != null && earlier instanceof long[] words
                ? packed.packIfFits(states, packed.born(words), nowMicros)
                : together(states);
    }
}
