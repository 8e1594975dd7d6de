package io.headgate.engine;

import io.headgate.Decision;
import io.headgate.Operation;
import io.headgate.StoreException;
import io.headgate.TimeSource;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where callers wait for permits: one line per key, first come, first served.
 *
 * <p>Only the head of a line takes permits from the store. If every algorithm of the plan can reserve, as buckets can, the store
 * reserves a future slot: the head leaves the line at once and waits for a {@linkplain ReservedSlots slot}. Otherwise the head gets the time to wait,
 * stays the head, and asks again after it. A waiter behind the head waits until those ahead have left, unless the store answers
 * that the permits for those ahead and for itself together will not be available in time. A waiter holds no thread, lock or
 * monitor, and never waits longer than its maximum wait.
 *
 * <p>A head is served by the thread that made it the head: the one that let it join an empty line, or the one that removed its
 * predecessor. So no waiter is served twice at the same time, and none is forgotten.
 */
final class WaitingRoom {

    private final TimeSource time;
    private final long capacity;
    private final Consumer<Decision.Allowed> giveBack;
    private final ReservedSlots slots;
    private final ConcurrentHashMap<String, Line> lines = new ConcurrentHashMap<>();

    /**
     * @param capacity the largest cost that can be granted to one request
     * @param giveBack refunds a grant that nobody waits for any more; must not throw
     */
    WaitingRoom(TimeSource time, long capacity, Consumer<Decision.Allowed> giveBack) {
        this.time = time;
        this.capacity = capacity;
        this.giveBack = giveBack;
        this.slots = new ReservedSlots(time, giveBack);
    }

    /**
     * Returns the future decision for a caller. If the future is completed or cancelled before the decision, the caller leaves the
     * line, and what it was granted is given back.
     */
    CompletableFuture<Decision> enter(
            String key, Operation.Take take, Function<Operation, CompletableFuture<Decision>> store) {
        Waiter waiter = new Waiter(key, take.cost(), time.nowMicros() + take.maxWaitMicros(), store);
        if (take.maxWaitMicros() == 0) { // does not wait, and so does not queue
            waiter.ask(take).whenComplete(waiter::answer);
            return waiter.answer;
        }
        waiter.answer.whenComplete((decision, failure) -> {
            waiter.stopIfAnswered();
            serve(leave(waiter));
        });
        long ahead = join(waiter);
        if (ahead < 0) {
            serve(waiter);
        } else {
            standBehind(waiter, ahead);
        }
        return waiter.answer;
    }

    /** Whether nobody is in line; those who wait for a reserved slot are not. */
    boolean isEmpty() {
        return lines.isEmpty();
    }

    boolean hasReservedSlots() {
        return !slots.isEmpty();
    }

    /** Serves the head, and then the next one as long as heads leave at once: in a loop, not recursively, however long the line is. */
    private void serve(@Nullable Waiter head) {
        Waiter waiter = head;
        while (waiter != null && !waiter.answer.isDone()) {
            Waiter asking = waiter;
            asking.asking = true;
            CompletableFuture<@Nullable Waiter> next = asking.ask(new Operation.Take(asking.cost, asking.budget()))
                    .handle((decision, failure) -> settle(asking, decision, failure));
            if (!next.isDone()) {
                next.thenAccept(this::serve);
                return;
            }
            waiter = next.join();
        }
    }

    /** Gives the head its answer, its slot or its wait; returns the next head if this one left the line. */
    private @Nullable Waiter settle(Waiter waiter, @Nullable Decision decision, @Nullable Throwable failure) {
        if (decision instanceof Decision.Denied denied && denied.retryAfterMicros() <= waiter.budget()) {
            waiter.asking = false;
            waiter.wakeAfter(denied.retryAfterMicros(), () -> serve(waiter));
            return null;
        }
        Waiter next = leave(waiter);
        if (decision instanceof Decision.Allowed granted && !granted.delay().isZero()) {
            slots.hold(waiter.key, waiter.cost, granted, waiter.answer);
        } else {
            waiter.answer(decision, failure);
        }
        return next;
    }

    /**
     * Asks the store how long it takes to serve those ahead and this waiter.
     *
     * @param ahead the permits that those ahead wait for; negative if nobody is ahead, and so this waiter is being served
     */
    private void standBehind(Waiter waiter, long ahead) {
        if (ahead >= 0) {
            long together = Math.max(waiter.cost, Math.min(ahead + waiter.cost, capacity));
            waiter.ask(new Operation.Peek(together))
                    .whenComplete((seen, failure) -> waitOrGiveUp(waiter, ahead, seen, failure));
        }
    }

    /** Keeps waiting while there is time. After that, the available permits belong to those ahead, unless there are enough for all. */
    private void waitOrGiveUp(Waiter waiter, long ahead, @Nullable Decision seen, @Nullable Throwable failure) {
        long budget = waiter.budget();
        boolean granted = seen instanceof Decision.Allowed;
        boolean inTime = granted || (seen instanceof Decision.Denied denied && denied.retryAfterMicros() <= budget);
        if (inTime && budget > 0) {
            waiter.endAfter(budget, () -> standBehind(waiter, ahead(waiter)));
        } else if (!stepOut(waiter, ahead)) {
            standBehind(waiter, ahead(waiter)); // those ahead have changed
        } else if (granted) {
            waiter.ask(new Operation.Take(waiter.cost, 0)).whenComplete(waiter::answer);
        } else {
            waiter.answer(seen, failure);
        }
    }

    /** Joins the end of the line; returns the permits that those ahead wait for, or a negative number if nobody is ahead. */
    private long join(Waiter waiter) {
        long[] ahead = {-1};
        lines.compute(waiter.key, (key, present) -> {
            Line line = present == null ? new Line() : present;
            ahead[0] = line.add(waiter);
            return line;
        });
        return Math.min(ahead[0], capacity);
    }

    /** The permits that those ahead wait for; negative if nobody is ahead, or if the waiter has left the line. */
    private long ahead(Waiter waiter) {
        long[] ahead = {-1};
        lines.computeIfPresent(waiter.key, (key, line) -> {
            ahead[0] = line.ahead(waiter, capacity);
            return line;
        });
        return ahead[0];
    }

    /** Leaves the line from behind the head, if those ahead still wait for the same number of permits. */
    private boolean stepOut(Waiter waiter, long ahead) {
        boolean[] out = {false};
        lines.computeIfPresent(waiter.key, (key, line) -> {
            out[0] = line.ahead(waiter, capacity) == ahead && line.remove(waiter);
            return line;
        });
        return out[0];
    }

    /** Leaves the line; returns the new head if this waiter was the head. */
    private @Nullable Waiter leave(Waiter waiter) {
        Waiter[] promoted = new Waiter[1];
        lines.computeIfPresent(waiter.key, (key, line) -> {
            boolean head = line.head() == waiter;
            line.remove(waiter);
            if (line.waiters.isEmpty()) {
                return null;
            }
            promoted[0] = head ? line.head() : null;
            return line;
        });
        return promoted[0];
    }

    /** The waiters of one key; used only inside an atomic operation of the map. */
    private static final class Line {

        final Set<Waiter> waiters = new LinkedHashSet<>(4);
        private long cost;

        Waiter head() {
            return waiters.iterator().next();
        }

        /** Returns the permits that those ahead wait for, or a negative number if nobody is ahead. */
        long add(Waiter waiter) {
            long ahead = waiters.isEmpty() ? -1 : cost - (head().asking ? head().cost : 0);
            waiters.add(waiter);
            cost += waiter.cost;
            return ahead;
        }

        boolean remove(Waiter waiter) {
            boolean there = waiters.remove(waiter);
            cost -= there ? waiter.cost : 0;
            return there;
        }

        /**
         * The permits that those ahead wait for, at most {@code most}; negative if nobody is ahead, or if the waiter has left the
         * line. A head that is asking the store does not count: it has its permits, or is about to learn how long to wait.
         */
        long ahead(Waiter waiter, long most) {
            if (head() == waiter || !waiters.contains(waiter)) {
                return -1;
            }
            long ahead = 0;
            for (Waiter other : waiters) {
                if (other == waiter || ahead >= most) {
                    break;
                }
                ahead += other.asking ? 0 : other.cost;
            }
            return Math.min(ahead, most);
        }
    }

    /** One caller: how to ask the store on its behalf, and the decision that it waits for. */
    private final class Waiter {

        final String key;
        final long cost;
        final CompletableFuture<Decision> answer = new CompletableFuture<>();
        volatile boolean asking;

        private final long deadline;
        private final Function<Operation, CompletableFuture<Decision>> store;

        /** Completes when the head is to ask again. */
        private volatile @Nullable CompletableFuture<Void> turn;

        /** Completes when the maximum wait is over. */
        private volatile @Nullable CompletableFuture<Void> end;

        Waiter(String key, long cost, long deadline, Function<Operation, CompletableFuture<Decision>> store) {
            this.key = key;
            this.cost = cost;
            this.deadline = deadline;
            this.store = store;
        }

        /** Asks the store. An exception becomes a failed future: thrown from here, it would leave a line that nobody serves. */
        CompletableFuture<Decision> ask(Operation operation) {
            try {
                return store.apply(operation);
            } catch (RuntimeException e) {
                return CompletableFuture.failedFuture(e);
            }
        }

        long budget() {
            return Math.max(0, deadline - time.nowMicros());
        }

        void answer(@Nullable Decision decision, @Nullable Throwable failure) {
            if (decision == null) {
                answer.completeExceptionally(cause(failure));
            } else if (!answer.complete(decision) && decision instanceof Decision.Allowed granted) {
                giveBack.accept(granted);
            }
        }

        private static Throwable cause(@Nullable Throwable failure) {
            if (failure == null) {
                return new StoreException("the store gave no answer");
            }
            return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        }

        void wakeAfter(long micros, Runnable action) {
            CompletableFuture<Void> alarm = time.after(micros);
            turn = alarm;
            alarm.thenRun(action);
            stopIfAnswered();
        }

        void endAfter(long micros, Runnable action) {
            CompletableFuture<Void> alarm = time.after(micros);
            end = alarm;
            alarm.thenRun(action);
            stopIfAnswered();
        }

        void stopIfAnswered() {
            if (answer.isDone()) {
                stop(turn);
                stop(end);
            }
        }

        private static void stop(@Nullable CompletableFuture<Void> alarm) {
            if (alarm != null) {
                alarm.cancel(false);
            }
        }
    }
}
