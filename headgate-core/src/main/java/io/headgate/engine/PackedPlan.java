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
    @SuppressWarnings("unchecked")
    static @Nullable PackedPlan of(BoundLimit[] limits) {
        Packing<Object>[] packings = (Packing<Object>[]) new Packing<?>[limits.length];
        for (int i = 0; i < limits.length; i++) {
            Packing<Object> packing = limits[i].packing;
            if (limits.length == 1 || packing == null) {
                return null;
            }
            packings[i] = packing;
        }
        return new PackedPlan(packings);
    }

    /** The states of the limits as words, or as they are if one does not fit. */
    Object packIfFits(Object[] states, int born, long nowMicros) {
        long[] words = new long[packings.length + 1];
        for (int i = 0; i < packings.length; i++) {
            words[i] = packings[i].pack(states[i], nowMicros);
            if (words[i] == Packing.NONE) {
                return states;
            }
        }
        words[packings.length] = born;
        return words;
    }

    Object[] unpack(long[] words, long nowMicros) {
        Object[] states = new Object[packings.length];
        for (int i = 0; i < states.length; i++) {
            states[i] = packings[i].unpack(packings[i].rebase(words[i], nowMicros), born(words), nowMicros);
        }
        return states;
    }

    /** The state of a limit right after the charge that produced these words, at that time. */
    Object charged(int i, long[] words, long chargedMicros) {
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

    /** What remains of the limit with the least left. */
    long remaining(long[] words, long nowMicros) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < packings.length; i++) {
            least = Math.min(least, packings[i].remaining(words[i], nowMicros));
        }
        return least;
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
