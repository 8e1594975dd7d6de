package io.headgate.redis;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.StoreException;
import io.headgate.StoreException.Reason;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Combines concurrent operations on one key into shared calls.
 *
 * <p>The first operation is sent at once. While its call is under way, further operations wait in line; when it has landed, they are
 * sent as one call, at most {@link #MOST} of them, applied in order at one time; and so on, until none waits and the line is removed.
 * So the operations of this process on a key take effect in the order in which they were requested, resets and refunds included, and
 * a busy key has one call under way, whatever the number of callers. A reset is the last operation of its call, since charges before
 * and after it are told apart by their time. If a call fails, all its operations fail; those still in line get a call of their own.
 * Operations that are not {@linkplain Backend#isOneCall one call} together are sent one by one, so that each fails on its own.
 *
 * <p>An operation that has waited in line for longer than Redis may take to answer is not sent any more: it fails. One that has
 * waited for a part of that time is sent, and has the rest of it: if the answer comes later, the operation has failed, and what it
 * was granted is given back. What is given back itself is sent however late.
 *
 * <p>Cancelling a future while its operation waits in line removes the operation. Once sent, the operation is carried out all the
 * same: a caller that may lose interest must keep the future and refund the grant that arrives.
 *
 * <p>A line is in the map exactly while a call for its key is under way. New operations are pushed onto its stack. The thread that
 * lands the call owns the line until the next call is sent, and only the owner takes from it: it takes the whole stack, appends it in
 * order to the operations left over, and sends the next call before it hands out the answers of the last. If nothing waits, the owner
 * closes the stack with one compare-and-set, so that no new operation can be left behind; one that finds a closed line starts
 * another. Nothing is locked, and a backend that answers at once is served in a loop.
 */
final class Coalescer implements Lane {

    /** How many operations one call carries at most. */
    static final int MOST = 64;

    private static final VarHandle TOP;
    private static final VarHandle PHASE;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            TOP = lookup.findVarHandle(Line.class, "top", PendingOperation.class);
            PHASE = lookup.findVarHandle(Call.class, "phase", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Backend backend;
    private final LongSupplier nanos;
    private final long patienceNanos;
    private final Timer timer;
    private final ConcurrentHashMap<Key, Line> lines = new ConcurrentHashMap<>();

    /** Runs something later. */
    @FunctionalInterface
    interface Timer {

        void after(long nanos, Runnable action);
    }

    /** @param patience how long an operation may take, from when it is requested, if it has to wait in line */
    Coalescer(Backend backend, LongSupplier nanos, Duration patience) {
        this(
                backend,
                nanos,
                patience,
                (delay, action) -> CompletableFuture.delayedExecutor(delay, TimeUnit.NANOSECONDS)
                        .execute(action));
    }

    Coalescer(Backend backend, LongSupplier nanos, Duration patience, Timer timer) {
        this.backend = backend;
        this.nanos = nanos;
        this.patienceNanos = patience.toNanos();
        this.timer = timer;
    }

    @Override
    public CompletableFuture<Decision> apply(Key key, Plan plan, Operation operation) {
        PendingOperation passenger = new PendingOperation(plan, operation, nanos.getAsLong());
        while (true) {
            Line mine = new Line(key);
            Line present = lines.putIfAbsent(key, mine);
            if (present == null) {
                passenger.travelsAlone();
                Call call = new Call(mine, List.of(passenger));
                if (!call.send()) {
                    goOn(call);
                }
                return passenger;
            }
            if (present.join(passenger)) {
                return passenger;
            }
            lines.remove(key, present); // closed: its owner is about to do the same
        }
    }

    /** How many keys have a call under way. */
    int busyKeys() {
        return lines.size();
    }

    /** Sends the waiting operations and completes those of the call that has landed; continues as long as calls land at once. */
    private void goOn(Call landed) {
        Call last = landed;
        while (true) {
            List<PendingOperation> late = new ArrayList<>(0);
            Call next = next(last.line, late);
            boolean away = next != null && next.send();
            last.settle();
            late.forEach(Coalescer::expire);
            if (next == null || away) {
                return;
            }
            last = next;
        }
    }

    private @Nullable Call next(Line line, List<PendingOperation> late) {
        while (true) {
            long now = nanos.getAsLong();
            List<PendingOperation> aboard = line.board(this::isOneCall, now - patienceNanos, late);
            if (!aboard.isEmpty()) {
                Call call = new Call(line, aboard);
                if (now - aboard.get(0).sinceNanos > patienceNanos / 8) { // no timers while Redis is as fast as usual
                    call.expireInTime(now);
                }
                return call;
            }
            if (line.close()) {
                lines.remove(line.key, line);
                return null;
            }
        }
    }

    private static boolean expire(PendingOperation late) {
        return late.completeExceptionally(
                new StoreException(Reason.TIMEOUT, "earlier calls for the same key took all the time there was"));
    }

    /** False for a plan that is rejected: each of its operations then fails on its own. */
    private boolean isOneCall(Plan plan) {
        try {
            return backend.isOneCall(plan);
        } catch (Throwable e) { // the call itself fails with the same
            return false;
        }
    }

    /** The operations that wait for the call under way. */
    private static final class Line {

        /** Marks a stack that nobody takes from any more, in place of its top. */
        private static final PendingOperation CLOSED = new PendingOperation(Plan.parse("1/s"), Operation.ONE);

        final Key key;

        private volatile @Nullable PendingOperation top;

        // Only for the owner: the operations it has taken off the stack and not yet sent, in order.
        private @Nullable PendingOperation first;
        private @Nullable PendingOperation last;

        Line(Key key) {
            this.key = key;
        }

        /** Adds an operation; false if the line is closed. */
        boolean join(PendingOperation passenger) {
            while (true) {
                PendingOperation above = top;
                if (above == CLOSED) {
                    return false;
                }
                passenger.next = above;
                if (TOP.compareAndSet(this, above, passenger)) {
                    return true;
                }
            }
        }

        /** Closes the line; false if an operation has joined. */
        boolean close() {
            return TOP.compareAndSet(this, null, CLOSED);
        }

        /**
         * The next operations under the same plan whose futures are still open; empty if there are none.
         *
         * @param oldestNanos operations that expire and were requested before are not sent
         * @param late receives those
         */
        List<PendingOperation> board(Predicate<Plan> isOneCall, long oldestNanos, List<PendingOperation> late) {
            line();
            List<PendingOperation> aboard = List.of();
            while (first != null && aboard.size() < MOST) {
                PendingOperation next = first;
                if (next.expires() && next.sinceNanos - oldestNanos < 0) {
                    late.add(next);
                } else if (!next.isDone()) {
                    if (aboard.isEmpty()) {
                        aboard = new ArrayList<>();
                    } else if (!next.plan.equals(aboard.get(0).plan)
                            || (aboard.size() == 1 && !isOneCall.test(next.plan))) {
                        break;
                    }
                    aboard.add(next);
                }
                first = next.next;
                next.next = null;
                if (next.operation instanceof Operation.Reset) {
                    break;
                }
            }
            return aboard;
        }

        /** Takes the stack, whose top came last, and appends its operations in the order in which they came. */
        private void line() {
            PendingOperation latest = (PendingOperation) TOP.getAndSet(this, null);
            PendingOperation earliest = null;
            for (PendingOperation each = latest; each != null; ) {
                PendingOperation before = each.next;
                each.next = earliest;
                earliest = each;
                each = before;
            }
            if (first == null) {
                first = earliest;
            } else if (last != null) {
                last.next = earliest;
            }
            last = latest != null ? latest : last;
        }
    }

    /** One call to the backend and the operations in it. */
    private final class Call implements BiConsumer<@Nullable List<Decision>, @Nullable Throwable> {

        private static final int SENDING = 0;
        private static final int AWAY = 1;
        private static final int LANDED = 2;

        final Line line;

        private final List<PendingOperation> passengers;
        private @Nullable List<Decision> decisions;
        private @Nullable Throwable failure;

        @SuppressWarnings("UnusedVariable") // accessed through PHASE
        private volatile int phase = SENDING;

        Call(Line line, List<PendingOperation> passengers) {
            this.line = line;
            this.passengers = passengers;
        }

        /** Sends the call. True if it lands later, and the thread that lands it goes on; false if it has landed already. */
        boolean send() {
            run().whenComplete(this);
            return PHASE.compareAndSet(this, SENDING, AWAY);
        }

        /** Fails the operations whose time is over, and comes back for the others, until all are answered. */
        void expireInTime(long now) {
            for (PendingOperation each : passengers) {
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
            try {
                List<Operation> operations = passengers.size() == 1
                        ? List.of(passengers.get(0).operation)
                        : passengers.stream().map(each -> each.operation).toList();
                return backend.run(line.key, passengers.get(0).plan, operations, passengers.get(0).sinceNanos);
            } catch (Throwable e) { // whatever it is, the line must not wait forever
                return CompletableFuture.failedFuture(e);
            }
        }

        @Override
        public void accept(@Nullable List<Decision> decisions, @Nullable Throwable failure) {
            this.decisions = decisions;
            this.failure = failure;
            if (!PHASE.compareAndSet(this, SENDING, LANDED)) {
                goOn(this);
            }
        }

        void settle() {
            Landing landing = new Landing();
            try {
                settle(landing);
            } finally {
                landing.wake();
            }
        }

        private void settle(Landing landing) {
            List<Decision> answers = decisions;
            if (answers != null && answers.size() == passengers.size()) {
                for (int i = 0; i < passengers.size(); i++) {
                    PendingOperation each = passengers.get(i);
                    each.land(landing, answers.get(i));
                    if (each.expired
                            && each.isCompletedExceptionally()
                            && answers.get(i) instanceof Decision.Allowed late) {
                        apply(line.key, each.plan, new Operation.Refund(late));
                    }
                }
                return;
            }
            Throwable cause = failure instanceof CompletionException && failure.getCause() != null
                    ? failure.getCause()
                    : failure != null
                            ? failure
                            : new StoreException(passengers.size() + " operations were answered by " + answers);
            for (PendingOperation each : passengers) {
                each.land(landing, cause);
            }
        }
    }
}
