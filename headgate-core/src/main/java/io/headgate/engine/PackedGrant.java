package io.headgate.engine;

import io.headgate.Limit;
import io.headgate.Standing;
import java.util.List;
import java.util.Objects;

/**
 * A grant whose stamp is the holder of a packed state, with that state as a number. A class of its own, so that a store with packed states
 * allocates nothing else and computes the rarely read values only on demand.
 */
final class PackedGrant extends Grant {

    private final BoundPlan boundPlan;
    private final int remaining; // an int, so that a decision takes 48 bytes
    private final long word;
    private final long nowMicros;

    PackedGrant(
            BoundPlan boundPlan, String subject, long cost, long remaining, Object holder, long word, long nowMicros) {
        super(subject, cost, holder);
        this.boundPlan = boundPlan;
        this.remaining = Math.toIntExact(remaining);
        this.word = word;
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
        return packing().fullInMicros(word, nowMicros);
    }

    @Override
    public List<Standing> standings() {
        long more = packing().moreInMicros(word, remaining, nowMicros);
        return List.of(new Standing(limit(), remaining, 0, resetAfterMicros(), more));
    }

    @Override
    public Object charged() {
        return packing().unpackCharged(word, born(Objects.requireNonNull(stamp())), remaining);
    }

    private Packing<Object> packing() {
        return Objects.requireNonNull(boundPlan.packing());
    }

    @Override
    BoundPlan chargedUnder() {
        return boundPlan;
    }

    @Override
    long chargedMicros() {
        return nowMicros;
    }
}
