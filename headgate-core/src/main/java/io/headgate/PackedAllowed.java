package io.headgate;

import java.util.List;
import java.util.Objects;

/**
 * A grant whose stamp is an object and a number. A class of its own, so that a store with packed states allocates nothing else and
 * computes the rarely read values only on demand.
 */
final class PackedAllowed extends Decision.Allowed {

    private final long stampWord;
    private final long nowMicros;

    PackedAllowed(
            Limit limit,
            String subject,
            long cost,
            long remaining,
            Packing.Holder stamp,
            long stampWord,
            long nowMicros) {
        super(limit, subject, cost, remaining, stamp);
        this.stampWord = stampWord;
        this.nowMicros = nowMicros;
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
    public List<Standing> limits() {
        long more = packing().moreInMicros(stampWord, remaining(), nowMicros);
        return List.of(new Standing(limit(), remaining(), 0, resetAfterMicros(), more));
    }

    private Packing<?> packing() {
        return ((Packing.Holder) Objects.requireNonNull(stamp())).packing();
    }
}
