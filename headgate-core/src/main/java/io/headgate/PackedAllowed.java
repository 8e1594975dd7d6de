package io.headgate;

import java.util.List;
import java.util.Objects;

/**
 * A grant whose stamp is an object and a number. Apart, so that a store with packed states allocates nothing else, and computes
 * nothing that few will ask for.
 */
final class PackedAllowed extends Decision.Allowed {

    private final long stampWord;

    PackedAllowed(
            Limit limit,
            String subject,
            long cost,
            long remaining,
            long resetAfterMicros,
            Packing.Holder stamp,
            long stampWord) {
        super(limit, subject, cost, remaining, resetAfterMicros, stamp);
        this.stampWord = stampWord;
    }

    @Override
    public long stampWord() {
        return stampWord;
    }

    @Override
    public List<Standing> limits() {
        Packing.Holder holder = (Packing.Holder) Objects.requireNonNull(stamp());
        long more = holder.packing().moreInMicros(stampWord, remaining(), resetAfterMicros());
        return List.of(new Standing(limit(), remaining(), 0, resetAfterMicros(), more));
    }
}
