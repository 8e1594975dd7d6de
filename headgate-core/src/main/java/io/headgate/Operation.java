package io.headgate;

/** What a store is asked to do with the state of a key, in one atomic step. */
public sealed interface Operation {

    /** Takes one permit without waiting, as nearly every request does. */
    Take ONE = new Take(1, 0);

    /** Asks whether one permit would be granted. */
    Peek PEEK = new Peek(1);

    /** Gives a key its full budget back. */
    Reset RESET = new Reset();

    /**
     * Takes permits from every limit of the plan, or from none.
     *
     * @param maxWaitMicros how far in the future a slot may be reserved, if every algorithm of the plan can reserve; 0 to take the
     *     permits now or not at all
     */
    record Take(long cost, long maxWaitMicros) implements Operation {

        /** Takes permits now or not at all. */
        public static Take of(long cost) {
            return cost == 1 ? ONE : new Take(cost, 0);
        }

        public Take {
            requireCost(cost);
            if (maxWaitMicros < 0) {
                throw new IllegalArgumentException("a wait must not be negative, but was " + maxWaitMicros + " us");
            }
        }
    }

    /** Answers as a {@link Take} of this cost would be answered now, and changes nothing. */
    record Peek(long cost) implements Operation {

        public Peek {
            requireCost(cost);
        }
    }

    /** Takes back one charge as far as it is still in the state; answered like a {@link Peek} for one permit. */
    record Refund(Decision.Allowed receipt) implements Operation {}

    /** Forgets what was spent; answered like a {@link Peek} for one permit. */
    record Reset() implements Operation {}

    private static void requireCost(long cost) {
        if (cost < 1) {
            throw new IllegalArgumentException(
                    "a cost must be at least 1, not " + cost + "; peek asks without spending");
        }
    }
}
