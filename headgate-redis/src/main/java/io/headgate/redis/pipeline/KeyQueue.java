package io.headgate.redis.pipeline;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Operation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicMarkableReference;
import org.jspecify.annotations.Nullable;

/**
 * The operations on one key that wait for the call under way.
 *
 * <p>Any thread may {@linkplain #add add} one: it is pushed onto a stack. Only the owner takes from the queue, which is the thread that
 * received the last answer, until it has sent the next call: it takes the whole stack and appends it in order to the operations left
 * over. If nothing waits, the owner closes the queue with one compare-and-set, so that no operation can be left behind. Nothing is
 * locked.
 */
final class KeyQueue {

    final Key key;

    /** The operation that was added last; marked once the queue is closed. */
    private final AtomicMarkableReference<@Nullable PendingOperation> newest =
            new AtomicMarkableReference<>(null, false);

    /** What the owner has taken off the stack and not yet sent, in order. */
    private final Deque<PendingOperation> waiting = new ArrayDeque<>(0);

    KeyQueue(Key key) {
        this.key = key;
    }

    /** Adds an operation; false if the queue is closed. */
    boolean add(PendingOperation operation) {
        while (!newest.isMarked()) {
            PendingOperation before = newest.getReference();
            operation.before = before;
            if (newest.compareAndSet(before, operation, false, false)) {
                return true;
            }
        }
        return false;
    }

    /** Closes the queue; false if an operation was added meanwhile. */
    boolean close() {
        return newest.compareAndSet(null, null, false, true);
    }

    /**
     * The next operations that can share a call and whose futures are still open, at most {@code most}; empty if there are none. A
     * reset is the last one, and those that are not {@linkplain PlanCalls#isOneCall one call} together come one by one.
     *
     * @param oldestNanos operations that expire and were requested before are not sent
     * @param late receives those
     */
    List<PendingOperation> nextBatch(int most, long oldestNanos, List<PendingOperation> late) {
        takeAdded();
        List<PendingOperation> batch = List.of();
        while (!waiting.isEmpty() && batch.size() < most) {
            PendingOperation next = waiting.getFirst();
            if (next.expires() && next.sinceNanos - oldestNanos < 0) {
                late.add(next);
            } else if (!next.isDone()) {
                if (batch.isEmpty()) {
                    batch = new ArrayList<>();
                } else if (!next.calls.isOneCall() || !next.calls.hasPlanOf(batch.get(0).calls)) {
                    break;
                }
                batch.add(next);
            }
            waiting.removeFirst();
            if (next.operation instanceof Operation.Reset) {
                break;
            }
        }
        return batch;
    }

    private void takeAdded() {
        PendingOperation last = newest.getReference();
        while (!newest.compareAndSet(last, null, false, false)) {
            last = newest.getReference();
        }
        Deque<PendingOperation> added = new ArrayDeque<>();
        for (PendingOperation each = last; each != null; each = each.before) {
            added.addFirst(each);
        }
        waiting.addAll(added);
    }

    /** One operation that shares a call with others, and the future of its decision. */
    static final class PendingOperation extends CompletableFuture<Decision> {

        final PlanCalls calls;
        final Operation operation;

        /** When the operation was requested, on the monotonic clock. */
        final long sinceNanos;

        /** The operation that was added to the queue before this one. */
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
}
