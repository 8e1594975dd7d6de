package io.headgate.redis;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Operation;
import io.headgate.Plan;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Runs operations on one key in one call. */
interface Backend {

    CompletableFuture<List<Decision>> run(Key key, Plan plan, List<Operation> operations);

    /**
     * As {@link #run(Key, Plan, List)}, for operations that may have waited.
     *
     * @param sinceNanos when the first of them was requested, on the monotonic clock
     */
    default CompletableFuture<List<Decision>> run(Key key, Plan plan, List<Operation> operations, long sinceNanos) {
        return run(key, plan, operations);
    }

    /** Whether all operations under that plan take one call together, instead of two calls each. */
    default boolean isOneCall(Plan plan) {
        return true;
    }
}
