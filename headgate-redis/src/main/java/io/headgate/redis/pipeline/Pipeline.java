package io.headgate.redis.pipeline;

import io.headgate.Ledger;
import io.headgate.redis.script.BoundScript;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What spares calls to Redis, shared by all ledgers of a store. Each layer can be missing; none ever allows a request too many.
 *
 * @param nanos the monotonic clock
 */
public record Pipeline(
        LongSupplier nanos,
        @Nullable Coalescer coalescer,
        @Nullable Denials denials,
        @Nullable Prefetching prefetching) {

    /**
     * Puts the layers of a ledger together. A request passes them in the opposite order: prefetched permits, denial memory, coalescing,
     * script.
     */
    public Ledger bind(String scope, BoundScript script) {
        Ledger ledger = bindWithoutMemory(scope, script);
        if (denials != null) {
            ledger = denials.over(scope, script.plan(), ledger);
        }
        if (prefetching != null) {
            ledger = prefetching.over(scope, script, ledger);
        }
        return ledger;
    }

    /** A ledger that always asks Redis. */
    public Ledger bindWithoutMemory(String scope, BoundScript script) {
        return coalescer == null ? new SeparateCalls(scope, script, nanos) : coalescer.over(scope, script);
    }
}
