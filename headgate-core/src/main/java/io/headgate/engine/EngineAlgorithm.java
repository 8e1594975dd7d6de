package io.headgate.engine;

import io.headgate.Algorithm;
import io.headgate.Limit;
import org.jspecify.annotations.Nullable;

/**
 * An algorithm that the engine may run in a cheaper way. A grant of such an algorithm may keep its state and compute its reset time and
 * standings only when they are read, so none of its methods may throw: by that time no failure policy applies.
 *
 * @param <S> the state of one limit for one subject
 */
public interface EngineAlgorithm<S> extends Algorithm<S> {

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
