package io.headgate.redis.script;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Operation;
import io.headgate.Plan;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The script of one plan, bound once. It runs any number of operations on one key. */
public interface BoundScript {

    Plan plan();

    /** Whether all operations take one call together, instead of two calls each. */
    boolean isOneCall();

    /**
     * Runs the operations in order.
     *
     * @param sinceNanos when the first of them was requested, on the monotonic clock
     */
    CompletableFuture<List<Decision>> run(Key key, List<Operation> operations, long sinceNanos);

    /** Whether operations of the other script can share a call with those of this one. */
    default boolean hasPlanOf(BoundScript other) {
        return plan().equals(other.plan());
    }
}
