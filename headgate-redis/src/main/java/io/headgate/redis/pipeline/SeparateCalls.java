package io.headgate.redis.pipeline;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Operation;
import io.headgate.redis.script.BoundScript;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * A ledger that makes a separate call for every operation.
 *
 * @param nanos the monotonic clock
 */
record SeparateCalls(String scope, BoundScript script, LongSupplier nanos) implements AsyncLedger {

    @Override
    public CompletableFuture<Decision> applyAsync(String subject, Operation operation) {
        return script.run(new Key(scope, subject), List.of(operation), nanos.getAsLong())
                .thenApply(decisions -> decisions.get(0));
    }
}
