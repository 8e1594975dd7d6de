package io.headgate.engine;

import io.headgate.Limit;
import io.headgate.Standing;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A grant that was made without the store. It shares its receipt with the grant that it wraps: there is one charge, and a refund of
 * either takes it back.
 */
final class DegradedGrant extends Grant {

    private final Grant made;

    DegradedGrant(Grant made) {
        super(made.subject(), 0, null);
        this.made = made;
    }

    @Override
    public Limit limit() {
        return made.limit();
    }

    @Override
    public long remaining() {
        return made.remaining();
    }

    @Override
    public boolean degraded() {
        return true;
    }

    @Override
    public Grant asDegraded() {
        return this;
    }

    @Override
    long resetAfterMicros() {
        return made.resetAfterMicros();
    }

    @Override
    public Duration delay() {
        return made.delay();
    }

    @Override
    public List<Standing> standings() {
        return made.standings();
    }

    @Override
    public long refundable() {
        return made.refundable();
    }

    @Override
    public long claimRefund() {
        return made.claimRefund();
    }

    @Override
    public @Nullable Object stamp() {
        return made.stamp();
    }

    @Override
    public Object charged() {
        return made.charged();
    }

    @Override
    @Nullable
    BoundPlan chargedUnder() {
        return made.chargedUnder();
    }

    @Override
    long chargedMicros() {
        return made.chargedMicros();
    }
}
