package io.headgate.redis;

import io.headgate.Algorithm;
import io.headgate.Algorithms;
import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.algorithm.BuiltIn;
import io.headgate.engine.BoundPlan;
import io.headgate.engine.EngineAlgorithm;
import io.headgate.engine.Grant;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * One key as the algorithms in Java have it: what the scripts are compared with. The state of a limit is kept under its id, as
 * numbers, like in a store elsewhere.
 */
public final class Reference {

    /** The built-in algorithms, and each once more as an algorithm of the user's. */
    public static final Algorithms ALGORITHMS = BuiltIn.algorithms().stream()
            .map(Renamed::of)
            .reduce(Headgate.algorithms(), Algorithms::with, (one, other) -> one);

    private final Algorithms algorithms = ALGORITHMS;
    private final Map<String, State> states = new HashMap<>();
    private final IdentityHashMap<Decision, Object> stamps = new IdentityHashMap<>();
    private boolean mended;

    /** A state and the limit it was last under. */
    @SuppressWarnings("ArrayRecordComponent") // never handed out, and never compared
    private record State(long[] numbers, Limit limit) {}

    /** The answer to an operation; a refund names the reference's own receipt. */
    public Decision apply(Plan plan, Operation operation, long now) {
        BoundPlan boundPlan = new BoundPlan(plan, algorithms);
        Object state = read(plan, now);
        mended = mends(plan, boundPlan, now);
        if (operation instanceof Operation.Take take) {
            Decision decision = boundPlan.take(state, "subject", take.cost(), take.maxWaitMicros(), now);
            if (decision instanceof Grant granted) {
                write(plan, granted.stamp());
                stamps.put(granted, read(plan, now));
            } else if (!fresh(plan)) {
                writePresent(plan, state, boundPlan.rebase(state, now), now);
            }
            return decision;
        }
        if (operation instanceof Operation.Peek peek) {
            return boundPlan.peek(state, "subject", peek.cost(), now);
        }
        if (operation instanceof Operation.Refund refund) {
            long cost = Grant.madeByAStore(refund.receipt()).claimRefund();
            if (cost > 0) {
                Object charged = stamps.get(refund.receipt());
                writePresent(
                        plan,
                        state,
                        boundPlan.refund(state, Grant.madeByAStore(refund.receipt()), charged, cost, now),
                        now);
            }
        } else {
            plan.ids().forEach(states::remove);
        }
        return boundPlan.peek(read(plan, now), "subject", 1, now);
    }

    /** Whether the last operation met a state that had to be mended. */
    public boolean mended() {
        return mended;
    }

    /** The ids of the limits that have a state. */
    List<String> kept() {
        return List.copyOf(states.keySet());
    }

    private boolean mends(Plan plan, BoundPlan boundPlan, long now) {
        Object state = read(plan, now);
        boolean changed = false;
        for (int i = 0; i < plan.limits().size(); i++) {
            Limit limit = plan.limits().get(i);
            State present = states.get(plan.ids().get(i));
            changed |= present != null && !present.limit.equals(limit) && !staysBehind(present, limit, now);
        }
        return changed || boundPlan.rebase(state, now) != state;
    }

    private boolean fresh(Plan plan) {
        return plan.ids().stream().noneMatch(states::containsKey);
    }

    private Object read(Plan plan, long now) {
        Object[] parts = new Object[plan.limits().size()];
        for (int i = 0; i < parts.length; i++) {
            Limit limit = plan.limits().get(i);
            State state = states.get(plan.ids().get(i));
            parts[i] = state == null || cameBack(state, limit, now)
                    ? algorithm(limit).fresh(limit, now)
                    : algorithm(limit).decode(state.numbers);
        }
        return parts.length == 1 ? parts[0] : parts;
    }

    /** Whether the state could be forgotten before the limit's numbers changed: then nothing is carried over. */
    private boolean cameBack(State state, Limit limit, long now) {
        if (state.limit.equals(limit) || state.limit.permits() == 0) {
            return false;
        }
        EngineAlgorithm<Object> algorithm = algorithm(limit);
        Object sound = algorithm.rebase(algorithm.decode(state.numbers), state.limit, now);
        return algorithm.forgettableAtMicros(sound, state.limit, now) <= now;
    }

    private void write(Plan plan, Object state) {
        for (int i = 0; i < plan.limits().size(); i++) {
            Limit limit = plan.limits().get(i);
            states.put(plan.ids().get(i), new State(algorithm(limit).encode(part(plan, state, i)), limit));
        }
    }

    /** Writes the parts that were there already: only a grant makes new ones, and a limit of 0 changes none. */
    private void writePresent(Plan plan, Object before, Object after, long now) {
        for (int i = 0; i < plan.limits().size(); i++) {
            Limit limit = plan.limits().get(i);
            State present = states.get(plan.ids().get(i));
            Object part = part(plan, after, i);
            boolean untouched = part == part(plan, before, i);
            if (present != null && limit.permits() > 0 && !(untouched && staysBehind(present, limit, now))) {
                states.put(plan.ids().get(i), new State(algorithm(limit).encode(part), limit));
            }
        }
    }

    /**
     * Whether a budget that came back before its limit's numbers changed is left as it is by a request that spends nothing: a
     * clock that steps back brings it to light again. Only a script that keeps those numbers writes it with the new ones, as
     * it does with every state of other numbers.
     */
    private boolean staysBehind(State state, Limit limit, long now) {
        if (limit.permits() == 0 || !cameBack(state, limit, now)) {
            return limit.permits() == 0;
        }
        EngineAlgorithm<Object> algorithm = algorithm(limit);
        Object old = algorithm.decode(state.numbers);
        Object sound = algorithm.rebase(old, limit, now);
        return algorithm instanceof Renamed || sound == old || algorithm.forgettableAtMicros(sound, limit, now) > now;
    }

    private static Object part(Plan plan, Object state, int i) {
        return plan.limits().size() == 1 ? state : ((Object[]) state)[i];
    }

    /** Forgets the state of one limit. */
    public void forget(String id) {
        states.remove(id);
    }

    @SuppressWarnings("unchecked")
    private EngineAlgorithm<Object> algorithm(Limit limit) {
        return EngineAlgorithm.of((Algorithm<Object>) algorithms.get(limit.algorithm()));
    }
}
