package io.headgate.redis.pipeline;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Ledger;
import io.headgate.Operation;
import io.headgate.Plan;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * The calls that operations under one plan end in.
 *
 * @param isOneCall whether all operations take one call together, instead of calls of their own
 */
public record PlanCalls(Plan plan, boolean isOneCall, Call call) {

    /** Runs any number of operations on one key. */
    @FunctionalInterface
    public interface Call {

        /**
         * Runs the operations in order.
         *
         * @param sinceNanos when the first of them was requested, on the monotonic clock
         */
        CompletableFuture<List<Decision>> run(Key key, List<Operation> operations, long sinceNanos);
    }

    /** A ledger that makes a separate call for every operation. */
    public Ledger separately(String scope, LongSupplier nanos) {
        return (AsyncLedger)
                (subject, operation) -> call.run(new Key(scope, subject), List.of(operation), nanos.getAsLong())
                        .thenApply(decisions -> decisions.get(0));
    }

    /** Whether operations under the other plan can share a call with those of this one. */
    boolean hasPlanOf(PlanCalls other) {
        return plan.equals(other.plan);
    }
}
