package io.headgate;

import java.util.List;
import java.util.Objects;

/**
 * A grant under one limit, without delay, whose stamp is the state right after the charge. Rarely read values are computed from
 * that state on demand.
 */
final class JudgedAllowed extends Decision.Allowed {

    private final BoundPlan boundPlan;
    private final long nowMicros;

    JudgedAllowed(BoundPlan boundPlan, String subject, long cost, long remaining, Object state, long nowMicros) {
        super(boundPlan.limit(), subject, cost, remaining, state);
        this.boundPlan = boundPlan;
        this.nowMicros = nowMicros;
    }

    @Override
    long resetAfterMicros() {
        return boundPlan.fullMicros(state(), nowMicros);
    }

    @Override
    public List<Standing> limits() {
        long more = boundPlan.moreMicros(state(), remaining(), nowMicros);
        return List.of(new Standing(limit(), remaining(), 0, resetAfterMicros(), more));
    }

    private Object state() {
        return Objects.requireNonNull(stamp());
    }
}
