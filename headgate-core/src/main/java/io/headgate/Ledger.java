package io.headgate;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One plan in one scope, bound to a {@link Store}: what every subject has spent. A {@link RateLimiter} is a ledger with verbs.
 *
 * <p>An operation on a subject is one atomic step: no two callers ever compute from the same state, every limit of the plan is judged
 * before any is charged, and a denial leaves all of them unchanged. Whatever surrounds a store, such as a guard, a memory of denials or
 * a timer, is a ledger over a ledger.
 */
public interface Ledger {

    /**
     * Applies the operation to what the subject has spent.
     *
     * @param subject who is limited; never empty
     * @throws StoreException if the store cannot answer
     */
    Decision apply(String subject, Operation operation);

    /**
     * As {@link #apply}; a failure completes the future with a {@link StoreException}. Does not block the calling thread unless the
     * store {@linkplain Store#blocks says so}.
     */
    default CompletableFuture<Decision> applyAsync(String subject, Operation operation) {
        try {
            return CompletableFuture.completedFuture(apply(subject, operation));
        } catch (StoreException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * The answer to the operation if it is known without a call to where the state is kept, such as a denial that still holds;
     * {@code null} if it is not. Returns quickly, never fails, and says nothing about the health of the store. Callers that want to
     * save calls ask here before they {@link #apply}, which always makes one.
     */
    default @Nullable Decision known(String subject, Operation operation) {
        return null;
    }

    /** Whether {@link #known} can ever return an answer. */
    default boolean remembers() {
        return false;
    }

    /**
     * Identifies the part of the store that keeps the subject. Parts may fail independently, so they are guarded independently. The
     * same for every subject unless the store is distributed over several machines.
     */
    default Object part(String subject) {
        return "";
    }
}
