package io.headgate.redis.pipeline;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Ledger;
import io.headgate.Operation;
import io.headgate.StoreException;
import io.headgate.StoreException.Reason;
import io.headgate.redis.pipeline.KeyQueue.PendingOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Combines concurrent operations on one key into shared calls.
 *
 * <p>The first operation is sent at once. While its call is under way, further operations wait in the {@link KeyQueue} of the key; when it
 * is answered, they are sent as one call, at most {@link #MOST} of them, applied in order at one time; and so on, until none waits and
 * the queue is removed. The ledgers of a scope share their queues, whatever their plans. So the operations of this process on a key
 * take effect in the order in which they were requested, resets and refunds included, and a busy key has one call under way, whatever
 * the number of callers. A reset is the last operation of its call, since charges before and after it are told apart by their time.
 * If a call fails, all its operations fail; those still waiting get a call of their own. Operations that are not {@linkplain
 * PlanCalls#isOneCall one call} together are sent one by one, so that each fails on its own.
 *
 * <p>An operation that has waited for longer than Redis may take to answer is not sent any more: it fails. One that has waited for a
 * part of that time is sent, and has the rest of it: if the answer comes later, the operation has failed, and what it was granted is
 * given back. What is given back itself is sent however late.
 *
 * <p>Cancelling a future while its operation waits removes the operation. Once sent, the operation is carried out all the same: a
 * caller that may lose interest must keep the future and refund the grant that arrives.
 *
 * <p>A queue is in the map exactly while a call for its key is under way. The thread that receives the answer sends the next call
 * before it hands out the answers of the last. An operation that finds a closed queue starts another. Nothing is locked, and a Redis
 * that answers at once is served in a loop.
 */
public final class Coalescer {

    /** How many operations one call carries at most. */
    static final int MOST = 64;

    private final LongSupplier nanos;
    private final long patienceNanos;
    private final Timer timer;
    private final ConcurrentHashMap<Key, KeyQueue> queues = new ConcurrentHashMap<>();

    /** @param patience how long an operation may take, from when it is requested, if it has to wait for other calls */
    public Coalescer(LongSupplier nanos, Duration patience) {
        this(
                nanos,
                patience,
                (delay, action) -> CompletableFuture.delayedExecutor(delay, TimeUnit.NANOSECONDS)
                        .execute(action));
    }

    Coalescer(LongSupplier nanos, Duration patience, Timer timer) {
        this.nanos = nanos;
        this.patienceNanos = patience.toNanos();
        this.timer = timer;
    }

    /** A ledger whose operations share calls. */
    public Ledger over(String scope, PlanCalls calls) {
        return (AsyncLedger) (subject, operation) -> submit(new Key(scope, subject), calls, operation);
    }

    /** How many keys have a call under way. */
    int busyKeys() {
        return queues.size();
    }

    private CompletableFuture<Decision> submit(Key key, PlanCalls calls, Operation operation) {
        PendingOperation pending = new PendingOperation(calls, operation, nanos.getAsLong());
        while (true) {
            KeyQueue own = new KeyQueue(key);
            KeyQueue present = queues.putIfAbsent(key, own);
            if (present == null) {
                Call call = new Call(own, List.of(pending));
                if (!call.send()) {
                    sendNext(call);
                }
                return pending;
            }
            if (present.add(pending)) {
                return pending;
            }
            queues.remove(key, present); // closed: its owner is about to do the same
        }
    }

    /** Sends the waiting operations and completes those of the answered call; continues as long as calls are answered at once. */
    private void sendNext(Call answered) {
        Call last = answered;
        while (true) {
            List<PendingOperation> late = new ArrayList<>(0);
            Call next = next(last.queue, late);
            boolean underWay = next != null && next.send();
            last.complete();
            late.forEach(this::expire);
            if (next == null || underWay) {
                return;
            }
            last = next;
        }
    }

    private @Nullable Call next(KeyQueue queue, List<PendingOperation> late) {
        while (true) {
            long now = nanos.getAsLong();
            List<PendingOperation> batch = queue.nextBatch(MOST, now - patienceNanos, late);
            if (!batch.isEmpty()) {
                Call call = new Call(queue, batch);
                if (now - batch.get(0).sinceNanos > patienceNanos / 8) { // no timers while Redis is as fast as usual
                    call.expireInTime(now);
                }
                return call;
            }
            if (queue.close()) {
                queues.remove(queue.key, queue);
                return null;
            }
        }
    }

    private void expire(PendingOperation late) {
        late.completeExceptionally(new StoreException(
                Reason.TIMEOUT,
                "Redis did not answer within the timeout of " + patienceNanos / 1_000_000
                        + " ms, part of which passed while earlier calls for the same key were under way"));
    }

    /** One call and the operations in it. */
    private final class Call implements BiConsumer<@Nullable List<Decision>, @Nullable Throwable> {

        private static final int SENDING = 0;
        private static final int SENT = 1;
        private static final int ANSWERED = 2;

        final KeyQueue queue;

        private final List<PendingOperation> batch;
        private final AtomicInteger phase = new AtomicInteger(SENDING);
        private @Nullable List<Decision> decisions;
        private @Nullable Throwable failure;

        Call(KeyQueue queue, List<PendingOperation> batch) {
            this.queue = queue;
            this.batch = batch;
        }

        /** Sends the call. True if its answer comes later, and the thread that brings it goes on; false if it is there already. */
        boolean send() {
            run().whenComplete(this);
            return phase.compareAndSet(SENDING, SENT);
        }

        /** Fails the operations whose time is over, and comes back for the others, until all are answered. */
        void expireInTime(long now) {
            for (PendingOperation each : batch) {
                long left = each.sinceNanos + patienceNanos - now;
                if (each.expires() && !each.isDone()) {
                    if (left > 0) {
                        timer.after(left, () -> expireInTime(nanos.getAsLong()));
                        return;
                    }
                    each.expired = true;
                    expire(each);
                }
            }
        }

        private CompletableFuture<List<Decision>> run() {
            PendingOperation first = batch.get(0);
            try {
                List<Operation> operations = batch.size() == 1
                        ? List.of(first.operation)
                        : batch.stream().map(each -> each.operation).toList();
                return first.calls.call().run(queue.key, operations, first.sinceNanos);
            } catch (Throwable e) { // whatever it is, those who wait must not wait forever
                return CompletableFuture.failedFuture(e);
            }
        }

        @Override
        public void accept(@Nullable List<Decision> decisions, @Nullable Throwable failure) {
            this.decisions = decisions;
            this.failure = failure;
            if (!phase.compareAndSet(SENDING, ANSWERED)) {
                sendNext(this);
            }
        }

        /** Hands out the answers. */
        void complete() {
            List<Decision> answers = decisions;
            if (answers != null && answers.size() == batch.size()) {
                for (int i = 0; i < batch.size(); i++) {
                    complete(batch.get(i), answers.get(i));
                }
                return;
            }
            Throwable cause = failure instanceof CompletionException && failure.getCause() != null
                    ? failure.getCause()
                    : failure != null ? failure : miscounted(answers);
            for (PendingOperation each : batch) {
                each.completeExceptionally(cause);
            }
        }

        private void complete(PendingOperation operation, Decision answer) {
            operation.complete(answer);
            if (operation.expired && operation.isCompletedExceptionally() && answer instanceof Decision.Allowed late) {
                submit(queue.key, operation.calls, new Operation.Refund(late));
            }
        }

        private StoreException miscounted(@Nullable List<Decision> answers) {
            return new StoreException("a call carried " + batch.size() + " operations on one key and brought back "
                    + (answers == null ? 0 : answers.size()) + " answers: none of them is used");
        }
    }
}
