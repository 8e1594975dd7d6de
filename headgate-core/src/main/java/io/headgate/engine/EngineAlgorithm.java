package io.headgate.engine;

import io.headgate.Algorithm;
import io.headgate.Limit;
import org.jspecify.annotations.Nullable;

/**
 * An algorithm with all that the engine asks of it. The built-in ones implement it; what a user's {@link Algorithm} does not say is
 * {@linkplain DerivedAlgorithm derived} from how long it lets wait.
 *
 * <p>A grant of a built-in algorithm may keep its state and compute its reset time and standings only when they are read, so none of its
 * methods may throw: by that time no failure policy applies.
 *
 * @param <S> the state of one limit for one subject
 */
public interface EngineAlgorithm<S> extends Algorithm<S> {

    /** The algorithm itself if it says all that the engine asks, else one that derives the rest. */
    static <S> EngineAlgorithm<S> of(Algorithm<S> algorithm) {
        return algorithm instanceof EngineAlgorithm<S> complete ? complete : new DerivedAlgorithm<>(algorithm);
    }

    /**
     * Rejects a limit that this algorithm cannot apply.
     *
     * @throws IllegalArgumentException saying what is allowed
     */
    default void check(Limit limit) {}

    /** The largest cost that would be allowed now, at most {@link Limit#burst}. */
    long remaining(S state, Limit limit, long nowMicros);

    /** How long until more than {@code remaining} remains if nobody asks: 0 if the budget is full. */
    default long moreMicros(S state, Limit limit, long remaining, long nowMicros) {
        return remaining >= limit.burst() ? 0 : waitMicros(state, limit, remaining + 1, nowMicros);
    }

    /** When the budget is full again if nobody asks; not later than now if it is. Saturates. */
    long fullAtMicros(S state, Limit limit, long nowMicros);

    /**
     * When forgetting the state has no visible effect any more, if nobody asks: as soon as the budget is full, unless the state still
     * knows something that counts under a limit it was under before, and that may come back. Saturates.
     */
    default long forgettableAtMicros(S state, Limit limit, long nowMicros) {
        return fullAtMicros(state, limit, nowMicros);
    }

    /** Whether {@link #reserve} can reserve the future slot that this cost would have to wait for. */
    default boolean reserves(S state, Limit limit, long cost) {
        return false;
    }

    /**
     * How long until the slot begins that {@link #reserve} would reserve for this cost. It can be longer than {@link #waitMicros}: a cost
     * that is not reserved may fit in where others have left, once all who reserved slots have had theirs.
     */
    default long slotMicros(S state, Limit limit, long cost, long nowMicros) {
        return waitMicros(state, limit, cost, nowMicros);
    }

    /**
     * The state after the cost is taken for a slot that begins after the delay. The delay is longer than {@link #slotMicros} if
     * another limit of the plan has the longer one: what is taken must then not count as flowed off before it is used.
     */
    default S reserve(S state, Limit limit, long cost, long delayMicros, long nowMicros) {
        return take(state, limit, cost, nowMicros);
    }

    /**
     * Whether successive states share memory that {@link #take} and {@link #refund} write to. Then only the latest state is valid,
     * an in-process store runs the steps of a key one at a time, and nothing is computed later.
     */
    default boolean sharesMemory() {
        return false;
    }

    /** This algorithm with its state under the given limit packed into one long; {@code null} if the state cannot be packed. */
    default @Nullable Packing<S> packing(Limit limit) {
        return null;
    }
}
