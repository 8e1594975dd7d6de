package io.headgate.redis;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Operation;
import io.headgate.Plan;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** One step on the way of an operation to Redis. The lanes before the last one avoid calls where they can. */
interface Lane {

    /** The future decision; a failure completes the future with a {@link io.headgate.StoreException}. */
    CompletableFuture<Decision> apply(Key key, Plan plan, Operation operation);

    /** A lane that makes a separate call for every operation. */
    static Lane of(Backend backend) {
        return (key, plan, operation) ->
                backend.run(key, plan, List.of(operation)).thenApply(decisions -> decisions.get(0));
    }
}
