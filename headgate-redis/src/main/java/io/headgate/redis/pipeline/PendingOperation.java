package io.headgate.redis.pipeline;

import io.headgate.Decision;
import io.headgate.Operation;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One operation that shares a call with others, and the future of its decision. */
final class PendingOperation extends CompletableFuture<Decision> {

    final PlanCalls calls;
    final Operation operation;

    /** When the operation was requested, on the monotonic clock. */
    final long sinceNanos;

    /** The operation that was added to the {@link KeyQueue} before this one. */
    @Nullable
    PendingOperation before;

    /** Whether its time was over before its answer came. */
    volatile boolean expired;

    PendingOperation(PlanCalls calls, Operation operation, long sinceNanos) {
        this.calls = calls;
        this.operation = operation;
        this.sinceNanos = sinceNanos;
    }

    /** Whether it is of no use any more after a while. What is given back must reach the store, however late. */
    boolean expires() {
        return operation instanceof Operation.Take || operation instanceof Operation.Peek;
    }
}
