package io.headgate;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the state of every key, applies the algorithms to it atomically, and owns the time.
 *
 * <p>An operation over a key and a plan is one step: no two callers ever compute from the same state, every limit of the
 * plan is judged before any is charged, and a denial leaves all of them as they were. {@code StoreContract} in the
 * testkit is the full promise.
 */
public interface Store {

    /**
     * Applies the operation to the state of the key.
     *
     * @throws StoreException if the store cannot answer
     */
    Decision apply(Key key, Plan plan, Operation operation);

    /** As {@link #apply}, without holding the calling thread; a failure completes the future with a {@link StoreException}. */
    default CompletableFuture<Decision> applyAsync(Key key, Plan plan, Operation operation) {
        try {
            return CompletableFuture.completedFuture(apply(key, plan, operation));
        } catch (StoreException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * The answer to the operation if it is at hand without asking whoever keeps the state, such as a denial that still holds;
     * {@code null} if it is not. Neither fails nor takes long, and says nothing of how the store does.
     */
    default @Nullable Decision known(Key key, Plan plan, Operation operation) {
        return null;
    }

    /** Whether {@link #known} may ever have an answer. */
    default boolean remembers() {
        return false;
    }

    /**
     * What tells the part of the store that keeps the key from its other parts: they may fail one by one, and are guarded one by
     * one. The same for every key unless the store is spread over several machines.
     */
    default Object part(Key key) {
        return "";
    }

    /** Whether the state is kept in this process: asking then neither fails nor takes long, and nobody has to stand guard. */
    default boolean inProcess() {
        return false;
    }

    /**
     * Refuses a plan this store cannot keep, before the first request meets it.
     *
     * @throws IllegalArgumentException naming the limit and what is allowed
     */
    void check(Plan plan);
}
