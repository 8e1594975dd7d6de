package io.headgate;

/** A grant whose stamp is an object and a number. Apart, so that a store with packed states allocates nothing else. */
final class PackedAllowed extends Decision.Allowed {

    private final long stampWord;

    PackedAllowed(
            Limit limit,
            String subject,
            long cost,
            long remaining,
            long resetAfterMicros,
            Object stamp,
            long stampWord) {
        super(limit, subject, cost, remaining, resetAfterMicros, stamp);
        this.stampWord = stampWord;
    }

    @Override
    public long stampWord() {
        return stampWord;
    }
}
