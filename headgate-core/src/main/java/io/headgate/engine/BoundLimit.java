package io.headgate.engine;

import io.headgate.Algorithms;
import io.headgate.Limit;
import io.headgate.Standing;
import org.jspecify.annotations.Nullable;

/** A limit of a plan, bound to its algorithm. A limit of 0 has no state, and its algorithm is not asked for anything. */
final class BoundLimit {

    /** In place of the state of a limit of 0. */
    private static final Object NOTHING = new Object();

    /** As in {@link io.headgate.Plan#ids}. */
    final String id;

    final Limit limit;
    final @Nullable Packing<Object> packing;
    private final EngineAlgorithm<Object> algorithm;

    /** @throws IllegalArgumentException if the algorithm is unknown or rejects the limit */
    @SuppressWarnings("unchecked")
    BoundLimit(String id, Limit limit, Algorithms algorithms) {
        this.id = id;
        this.limit = limit;
        this.algorithm = (EngineAlgorithm<Object>) EngineAlgorithm.of(algorithms.get(limit.algorithm()));
        algorithm.check(limit);
        this.packing = keepsState() ? algorithm.packing(limit) : null;
    }

    boolean keepsState() {
        return limit.permits() > 0;
    }

    boolean sharesMemory() {
        return algorithm.sharesMemory();
    }

    /** Whether what a state says can be computed later: nothing changes it, and no code of a user is asked. */
    boolean canBeReadLater() {
        return !sharesMemory() && !(algorithm instanceof DerivedAlgorithm);
    }

    /** Whether states of the other limit mean the same to this one's algorithm. */
    boolean continues(BoundLimit other) {
        return algorithm.equals(other.algorithm);
    }

    Object fresh(long nowMicros) {
        return keepsState() ? algorithm.fresh(limit, nowMicros) : NOTHING;
    }

    Object rebase(Object state, long nowMicros) {
        return keepsState() ? algorithm.rebase(state, limit, nowMicros) : state;
    }

    long waitMicros(Object state, long cost, long nowMicros) {
        return algorithm.waitMicros(state, limit, cost, nowMicros);
    }

    Object take(Object state, long cost, long nowMicros) {
        return algorithm.take(state, limit, cost, nowMicros);
    }

    boolean reserves(Object state, long cost) {
        return algorithm.reserves(state, limit, cost);
    }

    long slotMicros(Object state, long cost, long nowMicros) {
        return algorithm.slotMicros(state, limit, cost, nowMicros);
    }

    Object reserve(Object state, long cost, long delayMicros, long nowMicros) {
        return algorithm.reserve(state, limit, cost, delayMicros, nowMicros);
    }

    Object refund(Object state, Object charged, long cost, long nowMicros) {
        return algorithm.refund(state, charged, limit, cost, nowMicros);
    }

    long remaining(Object state, long nowMicros) {
        return keepsState() ? algorithm.remaining(state, limit, nowMicros) : 0;
    }

    long resetMicros(Object state, long nowMicros) {
        return keepsState() ? Math.max(0, algorithm.fullAtMicros(state, limit, nowMicros) - nowMicros) : 0;
    }

    /** When forgetting the state has no visible effect any more, as far as is known now. */
    long forgettableAtMicros(Object state, long nowMicros) {
        return keepsState() ? algorithm.forgettableAtMicros(rebase(state, nowMicros), limit, nowMicros) : 0;
    }

    /** How the limit stands for a request of that cost; 0 for one that has been granted. */
    Standing standing(Object state, long cost, long nowMicros) {
        long wait = cost == 0 ? 0 : cost > limit.burst() ? Standing.NEVER : waitMicros(state, cost, nowMicros);
        long remaining = remaining(state, nowMicros);
        long more = wait > 0 ? wait : algorithm.moreMicros(state, limit, remaining, nowMicros);
        return new Standing(limit, remaining, wait, resetMicros(state, nowMicros), more);
    }

    /** A state that shares no memory with the given one. */
    Object copy(Object state) {
        return sharesMemory() && keepsState() ? algorithm.decode(algorithm.encode(state)) : state;
    }
}
