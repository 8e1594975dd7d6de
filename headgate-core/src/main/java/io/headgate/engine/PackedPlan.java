package io.headgate.engine;

import org.jspecify.annotations.Nullable;

/**
 * The packed form of a plan of several limits: one word for each, so that a decision allocates one array instead of an object per limit.
 *
 * <p>After the words comes a number that distinguishes the charges on this state from those on others, which a word has no room for. An
 * array never changes once it is the state of a key.
 */
final class PackedPlan {

    private final Packing<Object>[] packings;

    private PackedPlan(Packing<Object>[] packings) {
        this.packings = packings;
    }

    /** The packed form; {@code null} if there is only one limit, or one that has none. */
    static @Nullable PackedPlan of(@Nullable Packing<Object>[] packings) {
        if (packings.length == 1) {
            return null;
        }
        for (Packing<Object> packing : packings) {
            if (packing == null) {
                return null;
            }
        }
        return new PackedPlan(packings);
    }

    Packing<Object> of(int i) {
        return packings[i];
    }

    /** Packs the states of the limits; {@code null} if one does not fit. */
    long @Nullable [] pack(Object[] states, int born, long nowMicros) {
        long[] words = new long[packings.length + 1];
        for (int i = 0; i < packings.length; i++) {
            words[i] = packings[i].pack(states[i], nowMicros);
            if (words[i] == Packing.NONE) {
                return null;
            }
        }
        words[packings.length] = born;
        return words;
    }

    Object unpack(int i, long[] words, long nowMicros) {
        return packings[i].unpack(packings[i].rebase(words[i], nowMicros), born(words), nowMicros);
    }

    /** The state of a limit right after the charge that produced these words, at that time. */
    Object unpackCharged(int i, long[] words, long chargedMicros) {
        return packings[i].unpackCharged(words[i], born(words), packings[i].remaining(words[i], chargedMicros));
    }

    int born(long[] words) {
        return (int) words[packings.length];
    }

    /** The rebased words after the cost is taken; {@code null} if some limit does not grant it now. */
    long @Nullable [] take(long[] words, long cost, long nowMicros) {
        long[] next = new long[words.length];
        for (int i = 0; i < packings.length; i++) {
            Packing<Object> packing = packings[i];
            if (packing.waitMicros(words[i], cost, nowMicros) > 0) {
                return null;
            }
            next[i] = packing.take(words[i], cost, nowMicros);
        }
        next[packings.length] = words[packings.length];
        return next;
    }

    /** The same instance if nothing changed. */
    long[] rebase(long[] words, long nowMicros) {
        long[] next = words;
        for (int i = 0; i < packings.length; i++) {
            long word = packings[i].rebase(words[i], nowMicros);
            if (word != words[i]) {
                next = next == words ? words.clone() : next;
                next[i] = word;
            }
        }
        return next;
    }
}
