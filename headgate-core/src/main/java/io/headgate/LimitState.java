package io.headgate;

/** The state of one limit, with the limit and the algorithm that wrote it. */
record LimitState(String id, Limit limit, Algorithm<Object> algorithm, Object state) {

    /** Whether everything spent has come back. Never true for a limit of 0: its state is kept for the limit that may replace it. */
    boolean full(long nowMicros) {
        return limit.permits() > 0 && fullAtMicros(nowMicros) <= nowMicros;
    }

    /**
     * When forgetting the state has no visible effect any more, as far as is known now; 0 for a limit of 0, which has no budget to
     * fill.
     */
    long fullAtMicros(long nowMicros) {
        return limit.permits() == 0 ? 0 : algorithm.fullAtMicros(algorithm.rebase(state, limit, nowMicros), limit);
    }
}
