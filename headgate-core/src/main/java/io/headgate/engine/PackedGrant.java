package io.headgate.engine;

import io.headgate.Limit;
import io.headgate.Standing;
import java.util.List;
import java.util.Objects;

/**
 * A grant whose stamp is an object and a number. A class of its own, so that a store with packed states allocates nothing else and
 * computes the rarely read values only on demand.
 */
final class PackedGrant extends Grant {

    private final Limit limit;
    private final int remaining; // an int, so that a decision takes 48 bytes
    private final long stampWord;
    private final long nowMicros;

    PackedGrant(
            Limit limit,
            String subject,
            long cost,
            long remaining,
            Packing.Holder stamp,
            long stampWord,
            long nowMicros) {
        super(subject, cost, stamp);
        this.limit = limit;
        this.remaining = Math.toIntExact(remaining);
        this.stampWord = stampWord;
        this.nowMicros = nowMicros;
    }

    @Override
    public Limit limit() {
        return limit;
    }

    @Override
    public long remaining() {
        return remaining;
    }

    @Override
    public long stampWord() {
        return stampWord;
    }

    @Override
    long resetAfterMicros() {
        return packing().fullInMicros(stampWord, nowMicros);
    }

    @Override
    public List<Standing> standings() {
        long more = packing().moreInMicros(stampWord, remaining, nowMicros);
        return List.of(new Standing(limit, remaining, 0, resetAfterMicros(), more));
    }

    private Packing<?> packing() {
        return Objects.requireNonNull(chargedUnder().packing());
    }

    @Override
    BoundPlan chargedUnder() {
        return ((Packing.Holder) Objects.requireNonNull(stamp())).boundPlan();
    }

    @Override
    long chargedMicros() {
        return nowMicros;
    }
}
