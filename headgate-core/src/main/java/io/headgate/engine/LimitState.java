package io.headgate.engine;

/** The state of one limit above 0, with the limit under which it was written. */
record LimitState(BoundLimit limit, Object state) {

    String id() {
        return limit.id;
    }

    /** Whether everything spent has come back. */
    boolean full(long nowMicros) {
        return fullAtMicros(nowMicros) <= nowMicros;
    }

    /** When forgetting the state has no visible effect any more, as far as is known now. */
    long fullAtMicros(long nowMicros) {
        return limit.forgettableAtMicros(state, nowMicros);
    }
}
