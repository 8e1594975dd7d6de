package io.headgate.engine;

import io.headgate.Limit;

/** The state of one limit above 0, with the limit and the algorithm that wrote it. */
record LimitState(String id, Limit limit, EngineAlgorithm<Object> algorithm, Object state) {

    /** Whether everything spent has come back. */
    boolean full(long nowMicros) {
        return fullAtMicros(nowMicros) <= nowMicros;
    }

    /** When forgetting the state has no visible effect any more, as far as is known now. */
    long fullAtMicros(long nowMicros) {
        return algorithm.forgettableAtMicros(algorithm.rebase(state, limit, nowMicros), limit, nowMicros);
    }
}
