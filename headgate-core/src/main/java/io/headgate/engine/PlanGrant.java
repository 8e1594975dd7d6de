package io.headgate.engine;

import io.headgate.Limit;
import io.headgate.Standing;
import java.util.List;
import java.util.Objects;

/**
 * A grant without delay whose stamp is the state right after the charge. What it tells is computed from that state when it is read, and
 * not at all if nobody does.
 */
final class PlanGrant extends Grant {

    private final BoundPlan boundPlan;
    private final long nowMicros;

    PlanGrant(BoundPlan boundPlan, String subject, long cost, Object state, long nowMicros) {
        super(subject, cost, state);
        this.boundPlan = boundPlan;
        this.nowMicros = nowMicros;
    }

    @Override
    public Limit limit() {
        return boundPlan.least(state(), nowMicros);
    }

    @Override
    public long remaining() {
        return boundPlan.remaining(state(), nowMicros);
    }

    @Override
    long resetAfterMicros() {
        return boundPlan.resetMicros(state(), nowMicros);
    }

    @Override
    public List<Standing> standings() {
        return boundPlan.standings(state(), 0, nowMicros);
    }

    @Override
    BoundPlan chargedUnder() {
        return boundPlan;
    }

    @Override
    long chargedMicros() {
        return nowMicros;
    }

    private Object state() {
        return Objects.requireNonNull(stamp());
    }
}
