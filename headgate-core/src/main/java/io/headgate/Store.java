package io.headgate;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the state of every key, applies the algorithms to it atomically, and owns the time.
 *
 * <p>An operation on a key and a plan is one atomic step: no two callers ever compute from the same state, every limit of the
 * plan is judged before any is charged, and a denial leaves all of them unchanged. {@code StoreContract} in the testkit
 * specifies the full contract.
 */
public interface Store {

    /**
     * Applies the operation to the state of the key.
     *
     * @throws StoreException if the store cannot answer
     */
    Decision apply(Key key, Plan plan, Operation operation);

    /** As {@link #apply}, without blocking the calling thread; a failure completes the future with a {@link StoreException}. */
    default CompletableFuture<Decision> applyAsync(Key key, Plan plan, Operation operation) {
        try {
            return CompletableFuture.completedFuture(apply(key, plan, operation));
        } catch (StoreException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * The answer to the operation if it is known without a call to where the state is kept, such as a denial that still holds;
     * {@code null} if it is not. Returns quickly, never fails, and says nothing about the health of the store.
     */
    default @Nullable Decision known(Key key, Plan plan, Operation operation) {
        return null;
    }

    /** Whether {@link #known} can ever return an answer. */
    default boolean remembers() {
        return false;
    }

    /**
     * Identifies the part of the store that keeps the key. Parts may fail independently, so they are guarded independently. The same
     * for every key unless the store is distributed over several machines.
     */
    default Object part(Key key) {
        return "";
    }

    /**
     * The {@linkplain #part parts} that can be {@linkplain #probe probed} at present. None by default, and none once the store is
     * closed: then it is not probed any more, and only requests find out that it fails or is back.
     */
    default Set<?> parts() {
        return Set.of();
    }

    /**
     * Asks a part whether it can do what requests need, such as write, at little cost and without blocking the calling thread; a
     * failure completes the future with a {@link StoreException}. Called when no request has told for a moment.
     *
     * @param part one of {@link #parts}
     */
    default CompletableFuture<?> probe(Object part) {
        return CompletableFuture.failedFuture(new StoreException("this store cannot be probed"));
    }

    /** Whether the state is kept in this process: a call then neither fails nor takes long, and needs no guard. */
    default boolean inProcess() {
        return false;
    }

    /**
     * Rejects a plan that this store cannot apply, before the first request uses it.
     *
     * @throws IllegalArgumentException naming the limit and what is allowed
     */
    void check(Plan plan);
}
