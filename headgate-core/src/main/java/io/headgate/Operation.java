package io.headgate;

/** What a store is asked to do with the state of a key, in one atomic step. */
public sealed interface Operation {

    /** Takes one permit, without waiting: nearly every request. */
    Take ONE = new Take(1, 0);

    /** Asks about one permit. */
    Peek PEEK = new Peek(1);

    /** Gives a key its full budget back. */
    Reset RESET = new Reset();

    /**
     * Takes permits from every limit of the plan, or from none.
     *
     * @param maxWaitMicros how far ahead of now a slot may be reserved, if every algorithm of the plan can; 0 for now or never
     */
    record Take(long cost, long maxWaitMicros) implements Operation {

        public Take {
            requireCost(cost);
            if (maxWaitMicros < 0) {
                throw new IllegalArgumentException("a wait must not be negative, but was " + maxWaitMicros + " us");
            }
        }
    }

    /** Answers what taking so much would be answered now, and changes nothing. */
    record Peek(long cost) implements Operation {

        public Peek {
            requireCost(cost);
        }
    }

    /** Takes back one charge if it is still in the state, else nothing; answered as a {@link Peek} for one permit. */
    record Refund(Decision.Allowed receipt) implements Operation {}

    /** Forgets what was spent; answered as a {@link Peek} for one permit. */
    record Reset() implements Operation {}

    private static void requireCost(long cost) {
        if (cost < 1) {
            throw new IllegalArgumentException(
                    "a cost must be at least 1, not " + cost + "; peek asks without spending");
        }
    }
}
