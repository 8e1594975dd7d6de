package io.headgate.redis;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Operation;
import io.headgate.Plan;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The way of one operation to Redis; what it can be spared on the way is decided by the lanes before the last. */
interface Lane {

    /** The decision to come; a failure completes the future with a {@link io.headgate.StoreException}. */
    CompletableFuture<Decision> apply(Key key, Plan plan, Operation operation);

    /** The plain way: every operation is a call of its own. */
    static Lane of(Backend backend) {
        return (key, plan, operation) ->
                backend.run(key, plan, List.of(operation)).thenApply(decisions -> decisions.get(0));
    }
}
