package io.headgate.engine;

import io.headgate.Algorithm;
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
 * limit, an array of states for several. A grant carries the next state as its {@linkplain Grant#stamp stamp}, because a
 * store needs the state right after a charge to take that charge back. A step therefore need not allocate a pair of decision and
 * state.
 */
public final class BoundPlan {

    private final Plan plan;
    private final List<String> ids;
    private final Limit[] limits;
    private final Algorithm<Object>[] algorithms;
    private final boolean sharesMemory;
    private final boolean lazyDetails;
    // The first limit and its algorithm: most plans have only one.
    private final Limit limit;
    private final Algorithm<Object> algorithm;
    private final @Nullable Packing<Object> packing;

    /** @throws IllegalArgumentException if an algorithm is unknown or rejects its limit */
    @SuppressWarnings("unchecked")
    public BoundPlan(Plan plan, Algorithms algorithms) {
        algorithms.check(plan);
        this.plan = plan;
        this.ids = plan.ids();
        this.limits = plan.limits().toArray(Limit[]::new);
        this.algorithms = plan.limits().stream()
                .map(each -> algorithms.get(each.algorithm()))
                .toArray(Algorithm[]::new);
        this.sharesMemory = Arrays.stream(this.algorithms).anyMatch(Algorithm::sharesMemory);
        this.limit = limits[0];
        this.algorithm = this.algorithms[0];
        this.lazyDetails = algorithm.lazyDetails() && !sharesMemory;
        this.packing = limits.length == 1 && limit.permits() > 0 ? algorithm.packing(limit) : null;
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
        return limit;
    }

    /** The packed form of a plan of one limit; {@code null} if its algorithm has none. */
    public @Nullable Packing<Object> packing() {
        return packing;
    }

    /** Whether the steps of one key must not overlap; see {@link Algorithm#sharesMemory}. */
    public boolean sharesMemory() {
        return sharesMemory;
    }

    /** The state of a key that has not been used yet. */
    public Object fresh(long nowMicros) {
        if (limits.length == 1) {
            return algorithm.fresh(limit, nowMicros);
        }
        Object[] states = new Object[limits.length];
        Arrays.setAll(states, i -> algorithms[i].fresh(limits[i], nowMicros));
        return states;
    }

    /** Judges the request and charges it if every limit grants it: the stamp of the grant is the next state. */
    public Decision take(Object state, String subject, long cost, long maxWaitMicros, long nowMicros) {
        if (limits.length > 1 || cost > limit.burst() || maxWaitMicros > 0) {
            return takeAll(state, subject, cost, maxWaitMicros, nowMicros);
        }
        Object sound = algorithm.rebase(state, limit, nowMicros);
        long wait = algorithm.waitMicros(sound, limit, cost, nowMicros);
        if (wait > 0) {
            long full = fullMicros(sound, nowMicros);
            return new Decision.Denied(limit, algorithm.remaining(sound, limit, nowMicros), wait, full, List.of());
        }
        Object next = algorithm.take(sound, limit, cost, nowMicros);
        long remaining = algorithm.remaining(next, limit, nowMicros);
        if (lazyDetails) {
            return new JudgedGrant(this, subject, cost, remaining, next, nowMicros);
        }
        long full = fullMicros(next, nowMicros);
        long more = moreMicros(next, remaining, nowMicros);
        return Grant.of(limit, subject, cost, remaining, full, more, next);
    }

    /** How long until the budget is full, under a plan of one limit. */
    long fullMicros(Object state, long nowMicros) {
        return algorithm.fullAtMicros(state, limit) - nowMicros;
    }

    /** How long until more than {@code remaining} remains, under a plan of one limit. */
    long moreMicros(Object state, long remaining, long nowMicros) {
        return algorithm.moreMicros(state, limit, remaining, nowMicros);
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
    public Object refund(Object state, Decision.Allowed receipt, Object charged, long cost, long nowMicros) {
        Object sound = rebase(state, nowMicros);
        List<String> ids = plan.ids();
        List<String> known =
                new Plan(receipt.limits().stream().map(Standing::limit).toList()).ids();
        Object[] next = new Object[limits.length];
        for (int i = 0; i < next.length; i++) {
            int place = known.indexOf(ids.get(i));
            Object part = part(i, sound);
            next[i] = place < 0 || limits[i].permits() == 0
                    ? part
                    : algorithms[i].refund(part, part(place, known.size(), charged), limits[i], cost, nowMicros);
        }
        return next.length == 1 ? next[0] : next;
    }

    /** The state with each limit's part {@linkplain Algorithm#rebase rebased}; the same instance if nothing changed. */
    public Object rebase(Object state, long nowMicros) {
        if (limits.length == 1) {
            return rebase(0, state, nowMicros);
        }
        Object[] next = null;
        for (int i = 0; i < limits.length; i++) {
            Object old = part(i, state);
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
            latest = Math.max(latest, forgettableAt(i, part(i, sound)));
        }
        return latest;
    }

    /** Splits the state into the states of the single limits. A limit of 0 has none. */
    List<LimitState> apart(Object state) {
        List<LimitState> apart = new ArrayList<>(limits.length);
        for (int i = 0; i < limits.length; i++) {
            if (limits[i].permits() > 0) {
                apart.add(new LimitState(ids.get(i), limits[i], algorithms[i], part(i, state)));
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
            next[i] = earlier != null && earlier.algorithm() == algorithms[i] && !earlier.full(nowMicros)
                    ? rebase(i, earlier.state(), nowMicros)
                    : algorithms[i].fresh(limits[i], nowMicros);
        }
        return next.length == 1 ? next[0] : next;
    }

    /** A state that shares no memory with the given one. */
    public Object copy(Object state) {
        Object[] next = new Object[limits.length];
        Arrays.setAll(
                next,
                i -> algorithms[i].sharesMemory()
                        ? algorithms[i].decode(algorithms[i].encode(part(i, state)))
                        : part(i, state));
        return next.length == 1 ? next[0] : next;
    }

    private Decision takeAll(Object state, String subject, long cost, long maxWaitMicros, long nowMicros) {
        Object sound = rebase(state, nowMicros);
        List<Standing> before = standings(sound, cost, nowMicros);
        Decision denial = denial(sound, before, cost, maxWaitMicros, nowMicros);
        if (denial != null) {
            return denial;
        }
        Object[] next = new Object[limits.length];
        long delay = Standings.longestWait(before) == 0 ? 0 : slotMicros(sound, cost, nowMicros);
        for (int i = 0; i < next.length; i++) {
            next[i] = delay == 0
                    ? algorithms[i].take(part(i, sound), limits[i], cost, nowMicros)
                    : algorithms[i].reserve(part(i, sound), limits[i], cost, delay, nowMicros);
        }
        Object stamp = next.length == 1 ? next[0] : next;
        return Standings.allowed(standings(stamp, 0, nowMicros), subject, cost, delay, stamp);
    }

    private List<Standing> standings(Object state, long cost, long nowMicros) {
        List<Standing> standings = new ArrayList<>(limits.length);
        for (int i = 0; i < limits.length; i++) {
            Object part = part(i, state);
            long wait = cost == 0
                    ? 0
                    : cost > limits[i].burst()
                            ? Standing.NEVER
                            : algorithms[i].waitMicros(part, limits[i], cost, nowMicros);
            long remaining = remaining(i, part, nowMicros);
            long more = wait > 0 ? wait : algorithms[i].moreMicros(part, limits[i], remaining, nowMicros);
            standings.add(new Standing(limits[i], remaining, wait, reset(i, part, nowMicros), more));
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
                        && reserves(state, cost)
                        && slotMicros(state, cost, nowMicros) <= maxWaitMicros);
        return granted ? null : Standings.denied(standings);
    }

    /** How long until the slot begins that would be reserved. */
    private long slotMicros(Object state, long cost, long nowMicros) {
        long longest = 0;
        for (int i = 0; i < limits.length; i++) {
            longest = Math.max(longest, algorithms[i].slotMicros(part(i, state), limits[i], cost, nowMicros));
        }
        return longest;
    }

    /**
     * Whether every limit can reserve a future slot. A window cannot: it would be charged now for a request that starts when the
     * window may have ended.
     */
    private boolean reserves(Object state, long cost) {
        for (int i = 0; i < limits.length; i++) {
            if (!algorithms[i].reserves(part(i, state), limits[i], cost)) {
                return false;
            }
        }
        return true;
    }

    private Object part(int i, Object state) {
        return part(i, limits.length, state);
    }

    private static Object part(int i, int parts, Object state) {
        return parts == 1 ? state : Objects.requireNonNull(((Object[]) state)[i]);
    }

    private long remaining(int i, Object part, long nowMicros) {
        return limits[i].permits() == 0 ? 0 : algorithms[i].remaining(part, limits[i], nowMicros);
    }

    private long reset(int i, Object part, long nowMicros) {
        return Math.max(0, fullAt(i, part) - nowMicros);
    }

    /** A limit of 0 has no state to correct. */
    private Object rebase(int i, Object part, long nowMicros) {
        return limits[i].permits() == 0 ? part : algorithms[i].rebase(part, limits[i], nowMicros);
    }

    /** A limit of 0 has no budget to fill, so its algorithm is not called. */
    private long fullAt(int i, Object part) {
        return limits[i].permits() == 0 ? 0 : algorithms[i].fullAtMicros(part, limits[i]);
    }

    private long forgettableAt(int i, Object part) {
        return limits[i].permits() == 0 ? 0 : algorithms[i].forgettableAtMicros(part, limits[i]);
    }
}
