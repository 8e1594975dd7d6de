package io.headgate.engine;

import io.headgate.Limit;
import io.headgate.Standing;
import java.util.List;
import java.util.Objects;

/**
 * A grant under one limit, without delay, whose stamp is the state right after the charge. Rarely read values are computed from
 * that state on demand.
 */
final class JudgedGrant extends Grant {

    private final BoundPlan boundPlan;
    private final int remaining;
    private final long nowMicros;

    JudgedGrant(BoundPlan boundPlan, String subject, long cost, long remaining, Object state, long nowMicros) {
        super(subject, cost, state);
        this.remaining = Math.toIntExact(remaining);
        this.boundPlan = boundPlan;
        this.nowMicros = nowMicros;
    }

    @Override
    public Limit limit() {
        return boundPlan.limit();
    }

    @Override
    public long remaining() {
        return remaining;
    }

    @Override
    long resetAfterMicros() {
        return boundPlan.fullMicros(state(), nowMicros);
    }

    @Override
    public List<Standing> limits() {
        long more = boundPlan.moreMicros(state(), remaining, nowMicros);
        return List.of(new Standing(limit(), remaining, 0, resetAfterMicros(), more));
    }

    private Object state() {
        return Objects.requireNonNull(stamp());
    }
}
