package io.headgate;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where callers wait for permits, one line per key, first come first served.
 *
 * <p>Only the head of a line takes from the store. A bucket gives it a slot ahead of now: it leaves the line at once and
 * waits for its slot alone. Otherwise it is told how long to wait, stays the head, and asks again then. Everybody behind
 * waits for the head to leave, unless the store says that what those ahead wait for and its own cost together will not be there
 * in time. Nobody holds a thread, a lock or a monitor while waiting, and nobody waits longer than it said it would.
 *
 * <p>A head is served by whoever made it the head: by itself if the line was empty, else by whoever took the one before it out of
 * the line. So nobody is served twice at a time, and nobody is forgotten.
 */
final class WaitingRoom {

    private final TimeSource time;
    private final long capacity;
    private final Consumer<Decision.Allowed> giveBack;
    private final ConcurrentHashMap<String, Line> lines = new ConcurrentHashMap<>();

    /**
     * @param capacity the most that one request can take
     * @param giveBack refunds a grant that nobody waits for any more, perhaps more than once; does not throw
     */
    WaitingRoom(TimeSource time, long capacity, Consumer<Decision.Allowed> giveBack) {
        this.time = time;
        this.capacity = capacity;
        this.giveBack = giveBack;
    }

    /** The answer to come. Completing it before that, such as by cancelling it, leaves the line and gives back what was granted. */
    CompletableFuture<Decision> enter(
            String key, Operation.Take take, Function<Operation, CompletableFuture<Decision>> store) {
        Waiter waiter = new Waiter(key, take.cost(), time.nowMicros() + take.maxWaitMicros(), store);
        if (take.maxWaitMicros() == 0) { // does not wait, and so does not queue
            waiter.ask(take).whenComplete(waiter::answer);
            return waiter.answer;
        }
        waiter.answer.whenComplete((decision, failure) -> {
            waiter.close(decision != null ? decision : failure);
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

    boolean isEmpty() {
        return lines.isEmpty();
    }

    /** Serves the head, and as long as heads leave at once the next one: a loop, however long the line is. */
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

    /** Gives the head its answer, its slot or its wait; returns the next head if it left the line. */
    private @Nullable Waiter settle(Waiter waiter, @Nullable Decision decision, @Nullable Throwable failure) {
        if (decision instanceof Decision.Denied denied && denied.retryAfterMicros() <= waiter.budget()) {
            waiter.asking = false;
            waiter.wakeAfter(denied.retryAfterMicros(), () -> serve(waiter));
            return null;
        }
        Waiter next = leave(waiter);
        if (decision instanceof Decision.Allowed granted && !granted.delay().isZero()) {
            waiter.hold(granted);
        } else {
            waiter.answer(decision, failure);
        }
        return next;
    }

    /**
     * Finds out how long it takes those ahead and this one.
     *
     * @param ahead what those ahead wait for; negative if there is nobody, and so it is being served
     */
    private void standBehind(Waiter waiter, long ahead) {
        if (ahead >= 0) {
            long together = Math.max(waiter.cost, Math.min(ahead + waiter.cost, capacity));
            waiter.ask(new Operation.Peek(together))
                    .whenComplete((seen, failure) -> waitOrGiveUp(waiter, ahead, seen, failure));
        }
    }

    /** Waits while there is time to; then what is there belongs to those ahead, unless it is enough for all. */
    private void waitOrGiveUp(Waiter waiter, long ahead, @Nullable Decision seen, @Nullable Throwable failure) {
        long budget = waiter.budget();
        boolean granted = seen instanceof Decision.Allowed;
        boolean inTime = granted || (seen instanceof Decision.Denied denied && denied.retryAfterMicros() <= budget);
        if (inTime && budget > 0) {
            waiter.endAfter(budget, () -> standBehind(waiter, ahead(waiter)));
        } else if (!stepOut(waiter, ahead)) {
            standBehind(waiter, ahead(waiter)); // those ahead are not the same any more
        } else if (granted) {
            waiter.ask(new Operation.Take(waiter.cost, 0)).whenComplete(waiter::answer);
        } else {
            waiter.answer(seen, failure);
        }
    }

    /** Joins the end of the line; returns what those ahead wait for, or a negative number if there is nobody. */
    private long join(Waiter waiter) {
        long[] ahead = {-1};
        lines.compute(waiter.key, (key, present) -> {
            Line line = present == null ? new Line() : present;
            ahead[0] = line.add(waiter);
            return line;
        });
        return Math.min(ahead[0], capacity);
    }

    /** What those ahead wait for; negative if there is nobody, or if it has left. */
    private long ahead(Waiter waiter) {
        long[] ahead = {-1};
        lines.computeIfPresent(waiter.key, (key, line) -> {
            ahead[0] = line.ahead(waiter, capacity);
            return line;
        });
        return ahead[0];
    }

    /** Leaves the line from behind the head, if what those ahead wait for is still the same. */
    private boolean stepOut(Waiter waiter, long ahead) {
        boolean[] out = {false};
        lines.computeIfPresent(waiter.key, (key, line) -> {
            out[0] = line.ahead(waiter, capacity) == ahead && line.remove(waiter);
            return line;
        });
        return out[0];
    }

    /** Leaves the line; the new head if this was the old one. */
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

    /** Those who wait for one key; used within one step of the map. */
    private static final class Line {

        final Set<Waiter> waiters = new LinkedHashSet<>(4);
        private long cost;

        Waiter head() {
            return waiters.iterator().next();
        }

        /** Returns what those ahead wait for, or a negative number if there is nobody. */
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
         * What those ahead wait for, up to the most that matters; negative if there is nobody, or if it has left. A head that is
         * asking does not count: it has what it waits for, or is about to be told how long.
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

    /** One caller: how to ask the store on its behalf, and the answer it waits for. */
    private final class Waiter {

        final String key;
        final long cost;
        final CompletableFuture<Decision> answer = new CompletableFuture<>();
        volatile boolean asking;

        private final long deadline;
        private final Function<Operation, CompletableFuture<Decision>> store;

        /** Rings when the head shall ask again, or when a slot has come. */
        private volatile @Nullable CompletableFuture<Void> turn;

        /** Rings when the time to wait is over. */
        private volatile @Nullable CompletableFuture<Void> end;

        private volatile Decision.@Nullable Allowed held;
        private volatile @Nullable Object outcome;

        Waiter(String key, long cost, long deadline, Function<Operation, CompletableFuture<Decision>> store) {
            this.key = key;
            this.cost = cost;
            this.deadline = deadline;
            this.store = store;
        }

        /** Whatever goes wrong is an answer too: an exception thrown here would leave a line that nobody serves. */
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

        /** Keeps a grant until its slot comes. */
        void hold(Decision.Allowed granted) {
            held = granted;
            wakeAfter(granted.delay().toNanos() / 1_000, () -> answer.complete(granted));
            if (outcome != null && outcome != granted) {
                giveBack.accept(granted);
            }
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
            stopIfClosed();
        }

        void endAfter(long micros, Runnable action) {
            CompletableFuture<Void> alarm = time.after(micros);
            end = alarm;
            alarm.thenRun(action);
            stopIfClosed();
        }

        /** There is nothing left to wait for; a slot held for another outcome is given back. */
        void close(Object result) {
            outcome = result;
            stopIfClosed();
            Decision.Allowed granted = held;
            if (granted != null && granted != result) {
                giveBack.accept(granted);
            }
        }

        private void stopIfClosed() {
            if (outcome != null) {
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
