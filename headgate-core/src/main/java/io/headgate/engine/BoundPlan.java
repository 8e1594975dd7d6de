package io.headgate.engine;

import io.headgate.Algorithms;
import io.headgate.Decision;
import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.Standing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
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
 */
public final class BoundPlan {

    /** In place of the state of a limit of 0, which has none: its algorithm is not asked for anything. */
    private static final Object NOTHING = new Object();

    private final Plan plan;
    private final List<String> ids;
    private final Limit[] limits;
    private final EngineAlgorithm<Object>[] algorithms;
    private final long capacity;
    private final boolean sharesMemory;
    private final boolean lazy;
    private final @Nullable Packing<Object> packing;
    private final @Nullable PackedPlan packed;

    /** @throws IllegalArgumentException if an algorithm is unknown or rejects its limit */
    @SuppressWarnings("unchecked")
    public BoundPlan(Plan plan, Algorithms algorithms) {
        this.plan = plan;
        this.ids = plan.ids();
        this.limits = plan.limits().toArray(Limit[]::new);
        this.algorithms =
                plan.limits().stream().map(each -> checked(each, algorithms)).toArray(EngineAlgorithm[]::new);
        this.capacity = plan.limits().stream().mapToLong(Limit::burst).min().orElseThrow();
        this.sharesMemory = Arrays.stream(this.algorithms).anyMatch(EngineAlgorithm::sharesMemory);
        this.lazy = !sharesMemory && Arrays.stream(this.algorithms).noneMatch(DerivedAlgorithm.class::isInstance);
        Packing<Object>[] packings = (Packing<Object>[]) new Packing<?>[limits.length];
        Arrays.setAll(packings, i -> limits[i].permits() > 0 ? this.algorithms[i].packing(limits[i]) : null);
        this.packing = packings.length == 1 ? packings[0] : null;
        this.packed = PackedPlan.of(packings);
    }

    /**
     * Rejects a plan that these algorithms cannot apply.
     *
     * @throws IllegalArgumentException if an algorithm is unknown or rejects its limit
     */
    public static void check(Plan plan, Algorithms algorithms) {
        plan.limits().forEach(limit -> checked(limit, algorithms));
    }

    private static EngineAlgorithm<?> checked(Limit limit, Algorithms algorithms) {
        EngineAlgorithm<?> algorithm = EngineAlgorithm.of(algorithms.get(limit.algorithm()));
        algorithm.check(limit);
        return algorithm;
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
        return limits[0];
    }

    /** The packed form of a plan of one limit; {@code null} if its algorithm has none. */
    public @Nullable Packing<Object> packing() {
        return packing;
    }

    /** Whether the steps of one key must not overlap; see {@link EngineAlgorithm#sharesMemory}. */
    public boolean sharesMemory() {
        return sharesMemory;
    }

    /** The state of a key that has not been used yet. */
    public Object fresh(long nowMicros) {
        Object[] states = new Object[limits.length];
        for (int i = 0; i < states.length; i++) {
            states[i] = fresh(i, nowMicros);
        }
        return states.length == 1 ? states[0] : states;
    }

    private Object fresh(int i, long nowMicros) {
        return limits[i].permits() == 0 ? NOTHING : algorithms[i].fresh(limits[i], nowMicros);
    }

    /**
     * As {@link #fresh}, packed if the limits are several and all of them can be; the states that follow are packed as well. Only for
     * stores whose time never goes back: a packed state that is ahead of now counts as spent altogether.
     */
    public Object freshPacked(long nowMicros) {
        Object fresh = fresh(nowMicros);
        return packed == null ? fresh : together((Object[]) fresh, (int) nowMicros, nowMicros);
    }

    /** Judges the request and charges it if every limit grants it: the stamp of the grant is the next state. */
    public Decision take(Object state, String subject, long cost, long maxWaitMicros, long nowMicros) {
        return takeRebased(rebase(state, nowMicros), subject, cost, maxWaitMicros, nowMicros);
    }

    /** As {@link #take}, from a state that has been {@linkplain #rebase rebased} at this time. */
    public Decision takeRebased(Object sound, String subject, long cost, long maxWaitMicros, long nowMicros) {
        if (limits.length == 1 && cost <= capacity && maxWaitMicros == 0) {
            return takeOne(sound, subject, cost, nowMicros);
        }
        Object next = cost > capacity ? null : takeNow(sound, cost, nowMicros);
        if (next != null) {
            return granted(next, subject, cost, nowMicros);
        }
        List<Standing> standings = standings(sound, cost, nowMicros);
        Decision denial = denial(sound, standings, cost, maxWaitMicros, nowMicros);
        return denial != null ? denial : reserve(sound, subject, cost, nowMicros);
    }

    /** As {@link #take} under a plan of one limit, which nearly all are. */
    private Decision takeOne(Object sound, String subject, long cost, long nowMicros) {
        Limit limit = limits[0];
        long wait = algorithms[0].waitMicros(sound, limit, cost, nowMicros);
        return wait > 0
                ? new Decision.Denied(
                        limit, remaining(0, sound, nowMicros), wait, resetMicros(0, sound, nowMicros), List.of())
                : granted(algorithms[0].take(sound, limit, cost, nowMicros), subject, cost, nowMicros);
    }

    private Decision granted(Object next, String subject, long cost, long nowMicros) {
        return lazy
                ? new PlanGrant(this, subject, cost, next, nowMicros)
                : Standings.allowed(standings(next, 0, nowMicros), subject, cost, 0, next);
    }

    /** The state after the cost is taken; {@code null} if some limit does not grant it now. */
    private @Nullable Object takeNow(Object sound, long cost, long nowMicros) {
        if (packed != null && sound instanceof long[] words) {
            return packed.take(words, cost, nowMicros);
        }
        for (int i = 0; i < limits.length; i++) {
            if (waitMicros(i, sound, cost, nowMicros) > 0) {
                return null;
            }
        }
        Object[] next = new Object[limits.length];
        for (int i = 0; i < next.length; i++) {
            next[i] = algorithms[i].take(part(i, sound, nowMicros), limits[i], cost, nowMicros);
        }
        return next.length == 1 ? next[0] : next;
    }

    private Decision reserve(Object sound, String subject, long cost, long nowMicros) {
        long delay = slotMicros(sound, cost, nowMicros);
        Object[] next = new Object[limits.length];
        for (int i = 0; i < next.length; i++) {
            next[i] = algorithms[i].reserve(part(i, sound, nowMicros), limits[i], cost, delay, nowMicros);
        }
        Object stamp = together(next, sound, nowMicros);
        return Standings.allowed(standings(stamp, 0, nowMicros), subject, cost, delay, stamp);
    }

    /** What {@link #take} would answer, without taking anything: a grant has no stamp, and its remaining permits are those of now. */
    public Decision peek(Object state, String subject, long cost, long nowMicros) {
        Object sound = rebase(state, nowMicros);
        List<Standing> standings = standings(sound, cost, nowMicros);
        Decision denial = denial(sound, standings, cost, 0, nowMicros);
        return denial != null ? denial : Standings.allowed(standings, subject, cost, 0, null);
    }

    /**
     * The state without one earlier charge, or without what is left of that charge. If the charge was made under another plan, it
     * is taken back from the limits that both plans have in common.
     *
     * @param charged the state right after the charge, under the plan of the receipt
     * @param cost the result of {@link Grant#claimRefund}
     */
    public Object refund(Object state, Grant receipt, Object charged, long cost, long nowMicros) {
        Object sound = rebase(state, nowMicros);
        List<String> known =
                new Plan(receipt.standings().stream().map(Standing::limit).toList()).ids();
        Object[] next = new Object[limits.length];
        for (int i = 0; i < next.length; i++) {
            int place = known.indexOf(ids.get(i));
            Object part = part(i, sound, nowMicros);
            Object then = place < 0 || limits[i].permits() == 0
                    ? null
                    : charged(place, known.size(), receipt, charged, limits[i]);
            next[i] = then == null ? part : algorithms[i].refund(part, then, limits[i], cost, nowMicros);
        }
        return together(next, sound, nowMicros);
    }

    /** The state of one limit of the receipt's plan right after the charge; {@code null} if it cannot be told apart any more. */
    private static @Nullable Object charged(int place, int limits, Grant receipt, Object charged, Limit later) {
        if (charged instanceof long[]) {
            return receipt.packedCharge(place, later);
        }
        return limits == 1 ? charged : Objects.requireNonNull(((Object[]) charged)[place]);
    }

    /** As {@link Grant#packedCharge}, for words that this plan wrote at that time. */
    @Nullable
    Object packedCharge(int i, long[] words, long chargedMicros, Limit later) {
        PackedPlan packing = Objects.requireNonNull(packed);
        return packing.of(i).tells(later) ? packing.unpackCharged(i, words, chargedMicros) : null;
    }

    /** The state with each limit's part {@linkplain io.headgate.Algorithm#rebase rebased}; the same instance if nothing changed. */
    public Object rebase(Object state, long nowMicros) {
        if (limits.length == 1) {
            return rebase(0, state, nowMicros);
        }
        if (packed != null && state instanceof long[] words) {
            return packed.rebase(words, nowMicros);
        }
        Object[] next = null;
        for (int i = 0; i < limits.length; i++) {
            Object old = part(i, state, nowMicros);
            Object mended = rebase(i, old, nowMicros);
            if (mended != old) {
                next = next == null ? ((Object[]) state).clone() : next;
                next[i] = mended;
            }
        }
        return next == null ? state : next;
    }

    /** When forgetting the state has no visible effect any more, as far as is known now. */
    public long fullAtMicros(Object state, long nowMicros) {
        Object sound = rebase(state, nowMicros);
        long latest = Long.MIN_VALUE;
        for (int i = 0; i < limits.length; i++) {
            // A limit of 0 has no budget to fill, so its algorithm is not called.
            long at = limits[i].permits() == 0
                    ? 0
                    : algorithms[i].forgettableAtMicros(part(i, sound, nowMicros), limits[i], nowMicros);
            latest = Math.max(latest, at);
        }
        return latest;
    }

    /** Splits the state into the states of the single limits. A limit of 0 has none. */
    List<LimitState> apart(Object state, long nowMicros) {
        List<LimitState> apart = new ArrayList<>(limits.length);
        for (int i = 0; i < limits.length; i++) {
            if (limits[i].permits() > 0) {
                apart.add(new LimitState(ids.get(i), limits[i], algorithms[i], part(i, state, nowMicros)));
            }
        }
        return apart;
    }

    /**
     * The state in which each limit continues the known state with its {@linkplain Plan#ids id}, or starts fresh. A limit whose
     * budget is full again by now also starts fresh, since a store may have forgotten it. So does a limit of 0, which has no state.
     */
    Object together(Map<String, LimitState> known, long nowMicros) {
        Object[] next = new Object[limits.length];
        for (int i = 0; i < next.length; i++) {
            LimitState earlier = limits[i].permits() == 0 ? null : known.get(ids.get(i));
            next[i] = earlier != null && earlier.algorithm().equals(algorithms[i]) && !earlier.full(nowMicros)
                    ? rebase(i, earlier.state(), nowMicros)
                    : fresh(i, nowMicros);
        }
        return next.length == 1 ? next[0] : next; // not packed: earlier charges could not be told apart any more
    }

    /** A state that shares no memory with the given one. */
    public Object copy(Object state) {
        if (!sharesMemory) {
            return state;
        }
        Object[] next =
                new Object[limits.length]; // states that share memory are never packed, so the time does not matter
        for (int i = 0; i < next.length; i++) {
            Object part = part(i, state, 0);
            next[i] = part == NOTHING ? NOTHING : algorithms[i].decode(algorithms[i].encode(part));
        }
        return next.length == 1 ? next[0] : next;
    }

    /** How each limit stands, for a request of that cost; 0 for one that has been granted. */
    List<Standing> standings(Object state, long cost, long nowMicros) {
        List<Standing> standings = new ArrayList<>(limits.length);
        for (int i = 0; i < limits.length; i++) {
            long wait =
                    cost == 0 ? 0 : cost > limits[i].burst() ? Standing.NEVER : waitMicros(i, state, cost, nowMicros);
            long remaining = remaining(i, state, nowMicros);
            long more = wait > 0 ? wait : moreMicros(i, state, remaining, nowMicros);
            standings.add(new Standing(limits[i], remaining, wait, resetMicros(i, state, nowMicros), more));
        }
        return standings;
    }

    private @Nullable Decision denial(
            Object state, List<Standing> standings, long cost, long maxWaitMicros, long nowMicros) {
        Decision impossible = Standings.impossible(standings, cost);
        if (impossible != null) {
            return impossible;
        }
        long wait = Standings.longestWait(standings);
        boolean granted = wait == 0
                || (wait <= maxWaitMicros
                        && reserves(state, cost, nowMicros)
                        && slotMicros(state, cost, nowMicros) <= maxWaitMicros);
        return granted ? null : Standings.denied(standings);
    }

    /** How long until the slot begins that would be reserved. */
    private long slotMicros(Object state, long cost, long nowMicros) {
        long longest = 0;
        for (int i = 0; i < limits.length; i++) {
            longest =
                    Math.max(longest, algorithms[i].slotMicros(part(i, state, nowMicros), limits[i], cost, nowMicros));
        }
        return longest;
    }

    /**
     * Whether every limit can reserve a future slot. A window cannot: it would be charged now for a request that starts when the
     * window may have ended.
     */
    private boolean reserves(Object state, long cost, long nowMicros) {
        for (int i = 0; i < limits.length; i++) {
            if (!algorithms[i].reserves(part(i, state, nowMicros), limits[i], cost)) {
                return false;
            }
        }
        return true;
    }

    /** The limit with the least left. */
    Limit least(Object state, long nowMicros) {
        long remaining = remaining(state, nowMicros);
        int i = 0;
        while (remaining(i, state, nowMicros) != remaining) {
            i++;
        }
        return limits[i];
    }

    /** What remains of the limit with the least left. */
    long remaining(Object state, long nowMicros) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < limits.length; i++) {
            least = Math.min(least, remaining(i, state, nowMicros));
        }
        return least;
    }

    /** How long until the whole budget is available. */
    long resetMicros(Object state, long nowMicros) {
        long longest = 0;
        for (int i = 0; i < limits.length; i++) {
            longest = Math.max(longest, resetMicros(i, state, nowMicros));
        }
        return longest;
    }

    // The numbers of one limit. A limit of 0 has no state, so its algorithm is not asked.

    private long waitMicros(int i, Object state, long cost, long nowMicros) {
        return packed != null && state instanceof long[] words
                ? packed.of(i).waitMicros(words[i], cost, nowMicros)
                : algorithms[i].waitMicros(part(i, state, nowMicros), limits[i], cost, nowMicros);
    }

    private long remaining(int i, Object state, long nowMicros) {
        if (packed != null && state instanceof long[] words) {
            return packed.of(i).remaining(words[i], nowMicros);
        }
        return limits[i].permits() == 0 ? 0 : algorithms[i].remaining(part(i, state, nowMicros), limits[i], nowMicros);
    }

    private long moreMicros(int i, Object state, long remaining, long nowMicros) {
        return algorithms[i].moreMicros(part(i, state, nowMicros), limits[i], remaining, nowMicros);
    }

    private long resetMicros(int i, Object state, long nowMicros) {
        if (packed != null && state instanceof long[] words) {
            return Math.max(0, packed.of(i).fullInMicros(words[i], nowMicros));
        }
        return limits[i].permits() == 0
                ? 0
                : Math.max(0, algorithms[i].fullAtMicros(part(i, state, nowMicros), limits[i], nowMicros) - nowMicros);
    }

    private Object rebase(int i, Object part, long nowMicros) {
        return limits[i].permits() == 0 ? part : algorithms[i].rebase(part, limits[i], nowMicros);
    }

    /** The state of one limit. */
    private Object part(int i, Object state, long nowMicros) {
        if (limits.length == 1) {
            return state;
        }
        return packed != null && state instanceof long[] words
                ? packed.unpack(i, words, nowMicros)
                : Objects.requireNonNull(((Object[]) state)[i]);
    }

    /** The states of the limits as one state, which continues an earlier one: packed if that was. */
    private Object together(Object[] states, Object earlier, long nowMicros) {
        return packed != null && earlier instanceof long[] words
                ? together(states, packed.born(words), nowMicros)
                : states.length == 1 ? states[0] : states;
    }

    private Object together(Object[] states, int born, long nowMicros) {
        if (states.length == 1) {
            return states[0];
        }
        long[] words = packed == null ? null : packed.pack(states, born, nowMicros);
        return words != null ? words : states;
    }
}
