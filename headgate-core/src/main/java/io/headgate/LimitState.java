package io.headgate;

/** The state of one limit, and what it was written under. */
record LimitState(String id, Limit limit, Algorithm<Object> algorithm, Object state) {

    /** Whether everything that was spent has come back. A limit of 0 gives nothing back: the next one may be another. */
    boolean full(long nowMicros) {
        return limit.permits() > 0 && fullAtMicros(nowMicros) <= nowMicros;
    }

    /** When forgetting it becomes invisible, as far as is known now; a limit of 0 has no budget to fill. */
    long fullAtMicros(long nowMicros) {
        return limit.permits() == 0 ? 0 : algorithm.fullAtMicros(algorithm.rebase(state, limit, nowMicros), limit);
    }
}
