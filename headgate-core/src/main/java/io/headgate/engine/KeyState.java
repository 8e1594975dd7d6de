package io.headgate.engine;

import io.headgate.Decision;
import io.headgate.Operation;
import io.headgate.Plan;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What an in-process store keeps for one key.
 *
 * @param boundPlan the plan under which the key was last checked
 * @param state the state of the key under that plan
 * @param retired what the key spent under limits that are not in that plan, or are 0 in it
 */
public record KeyState(BoundPlan boundPlan, Object state, RetiredLimits retired) {

    /** The content for a key that has not been used yet. */
    public static KeyState fresh(BoundPlan boundPlan, long nowMicros) {
        return new KeyState(boundPlan, boundPlan.fresh(nowMicros), RetiredLimits.NONE);
    }

    /** What an operation leads to. */
    public record Step(KeyState next, Decision decision) {}

    /** Applies an operation: the one place in which a store that computes from immutable states needs to. */
    public Step apply(Operation operation, String subject, long nowMicros) {
        if (operation instanceof Operation.Take take) {
            Decision decision = boundPlan.take(state, subject, take.cost(), take.maxWaitMicros(), nowMicros);
            Object next = decision instanceof Grant granted ? granted.stamp() : null;
            return new Step(with(next != null ? next : boundPlan.rebase(state, nowMicros)), decision);
        }
        KeyState next = this;
        if (operation instanceof Operation.Refund refund) {
            next = refunded(Grant.madeInProcess(refund.receipt()), nowMicros);
        } else if (operation instanceof Operation.Reset) {
            next = reset(nowMicros);
        }
        long cost = operation instanceof Operation.Peek peek ? peek.cost() : 1;
        return new Step(next, boundPlan.peek(next.state, subject, cost, nowMicros));
    }

    private KeyState refunded(Grant receipt, long nowMicros) {
        long cost = receipt.claimRefund();
        return cost == 0 ? this : with(boundPlan.refund(state, receipt, receipt.charged(), cost, nowMicros));
    }

    private KeyState with(Object next) {
        return next == state ? this : new KeyState(boundPlan, next, retired);
    }

    /**
     * This content under another plan: each limit continues its own state, found by {@link Plan#ids}, or starts fresh. A limit
     * whose budget is full again by now also starts fresh, since a store may have forgotten it. A limit of 0 has no state: what was
     * spent under it before is kept beside, like that of a limit that is not in the plan.
     */
    public KeyState under(BoundPlan next, long nowMicros) {
        if (boundPlan.isSameAs(next)) {
            return this;
        }
        Map<String, LimitState> known = new LinkedHashMap<>();
        boundPlan.limitStates(state, nowMicros).forEach(each -> known.put(each.id(), each));
        retired.states().forEach(each -> known.put(each.id(), each));
        BoundLimit[] limits = next.limits();
        Object[] states = new Object[limits.length];
        for (int i = 0; i < limits.length; i++) {
            LimitState earlier = limits[i].keepsState() ? known.remove(limits[i].id) : null;
            states[i] = earlier != null && limits[i].continues(earlier.limit()) && !earlier.full(nowMicros)
                    ? limits[i].rebase(earlier.state(), nowMicros)
                    : limits[i].fresh(nowMicros);
        }
        Object carried = BoundPlan.together(states); // not packed: earlier charges could not be told apart any more
        return new KeyState(next, carried, RetiredLimits.of(List.copyOf(known.values()), nowMicros));
    }

    /** This content after a reset: what was spent under limits that are not in the plan stays. */
    public KeyState reset(long nowMicros) {
        return new KeyState(boundPlan, boundPlan.fresh(nowMicros), retired.without(boundPlan.ids()));
    }

    /** When forgetting the key has no visible effect any more, as far as is known now. */
    public long fullAtMicros(long nowMicros) {
        return Math.max(boundPlan.fullAtMicros(state, nowMicros), retired.fullAtMicros(nowMicros));
    }
}
