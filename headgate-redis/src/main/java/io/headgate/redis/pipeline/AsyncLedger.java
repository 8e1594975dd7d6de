package io.headgate.redis.pipeline;

import io.headgate.Decision;
import io.headgate.Ledger;
import io.headgate.Operation;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A ledger whose answers come later. A caller that blocks waits for the future. */
interface AsyncLedger extends Ledger {

    @Override
    CompletableFuture<Decision> applyAsync(String subject, Operation operation);

    @Override
    default Decision apply(String subject, Operation operation) {
        try {
            return applyAsync(subject, operation).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw e;
        }
    }
}
