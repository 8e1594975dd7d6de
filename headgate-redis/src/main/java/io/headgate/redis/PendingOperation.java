package io.headgate.redis;

import io.headgate.Decision;
import io.headgate.Operation;
import io.headgate.Plan;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One operation that shares a call with others, and the future of its decision. */
final class PendingOperation extends CompletableFuture<Decision> {

    final Plan plan;
    final Operation operation;

    /** The operation that came before, while on the stack of a {@link Coalescer}; the one that comes after, once in line. */
    @Nullable
    PendingOperation next;

    /** When the operation was requested, on the monotonic clock. */
    final long sinceNanos;

    /** Whether its time was over before its answer came. */
    volatile boolean expired;

    private boolean alone;
    private @Nullable Landing landing;

    PendingOperation(Plan plan, Operation operation) {
        this(plan, operation, 0);
    }

    PendingOperation(Plan plan, Operation operation, long sinceNanos) {
        this.plan = plan;
        this.operation = operation;
        this.sinceNanos = sinceNanos;
    }

    /** Whether it is of no use any more after a while. What is given back must reach the store, however late. */
    boolean expires() {
        return operation instanceof Operation.Take || operation instanceof Operation.Peek;
    }

    /** Marks this as the only operation of its call: it has nobody to wake or to be woken by. */
    void travelsAlone() {
        alone = true;
    }

    void land(Landing landing, Decision answer) {
        this.landing = landing;
        complete(answer);
    }

    void land(Landing landing, Throwable failure) {
        this.landing = landing;
        completeExceptionally(failure);
    }

    /**
     * Like {@link #join}, but the thread is woken by the threads whose operations {@linkplain Landing landed} with this one, and
     * wakes others.
     */
    Decision await() {
        if (!alone && !isDone() && Sleeper.canBeThisThread()) {
            Sleeper sleeper = new Sleeper();
            whenComplete((answer, failure) -> wake(sleeper));
            sleeper.sleep();
        }
        return join();
    }

    private void wake(Sleeper sleeper) {
        Landing together = landing;
        if (together != null && together.isOurs()) {
            together.add(sleeper);
        } else {
            sleeper.wake(null); // it completed just before, or was cancelled
        }
    }
}
