package io.headgate;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where callers wait for permits, one line per key, first come first served.
 *
 * <p>Only the head of a line takes from the store. A bucket gives it a slot ahead of now: it leaves the line at once and
 * waits for its slot alone. Otherwise it is told how long to wait, stays the head, and asks again then. Everybody behind
 * waits for the head to leave. Nobody holds a thread, a lock or a monitor while waiting, and nobody waits longer than it
 * said it would.
 */
final class WaitingRoom {

    private final TimeSource time;
    private final Consumer<Decision.Allowed> giveBack;
    private final ConcurrentHashMap<String, Deque<Waiter>> lines = new ConcurrentHashMap<>();

    /** @param giveBack refunds a grant that nobody waits for any more */
    WaitingRoom(TimeSource time, Consumer<Decision.Allowed> giveBack) {
        this.time = time;
        this.giveBack = giveBack;
    }

    /** The answer to come. Cancelling it leaves the line and gives back what was granted. */
    CompletableFuture<Decision> enter(
            String key, long cost, long maxWaitMicros, Function<Operation, CompletableFuture<Decision>> store) {
        Waiter waiter = new Waiter(key, cost, time.nowMicros() + maxWaitMicros, store);
        if (join(waiter)) {
            serve(waiter);
        } else {
            waiter.ask(new Operation.Peek(cost))
                    .whenComplete((decision, failure) -> standBehind(waiter, decision, failure));
        }
        waiter.answer.whenComplete((decision, failure) -> {
            if (waiter.answer.isCancelled()) {
                waiter.stopAlarm();
                waiter.returnGrant();
                serve(leave(waiter));
            }
        });
        return waiter.answer;
    }

    /** Serves the head, and as long as heads leave at once the next one: a loop, however long the line is. */
    private void serve(@Nullable Waiter head) {
        Waiter waiter = head;
        while (waiter != null && !waiter.answer.isDone()) {
            Waiter asking = waiter;
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
            waiter.wakeAfter(denied.retryAfterMicros(), () -> serve(waiter));
            return null;
        }
        if (decision instanceof Decision.Allowed granted && !granted.delay().isZero()) {
            waiter.hold(granted);
        } else {
            waiter.answer(decision, failure);
        }
        return leave(waiter);
    }

    /** Waits for the head to leave, unless the store already says that this would take too long. */
    private void standBehind(Waiter waiter, @Nullable Decision decision, @Nullable Throwable failure) {
        boolean worthWaiting = decision instanceof Decision.Allowed
                || (decision instanceof Decision.Denied denied && denied.retryAfterMicros() <= waiter.budget());
        if (worthWaiting) {
            waiter.wakeAfter(waiter.budget(), () -> lastChance(waiter));
        } else {
            waiter.answer(decision, failure);
            serve(leave(waiter));
        }
    }

    /** The turn did not come in time: now or not at all. */
    private void lastChance(Waiter waiter) {
        if (!waiter.answer.isDone()) {
            waiter.ask(new Operation.Take(waiter.cost, 0)).whenComplete((decision, failure) -> {
                waiter.answer(decision, failure);
                serve(leave(waiter));
            });
        }
    }

    /** Joins the end of the line; true if that is also its head. */
    private boolean join(Waiter waiter) {
        lines.compute(waiter.key, (key, present) -> {
            Deque<Waiter> line = present == null ? new ArrayDeque<>(2) : present;
            waiter.first = line.isEmpty();
            line.add(waiter);
            return line;
        });
        return waiter.first;
    }

    /** Leaves the line; the new head if this was the old one. */
    private @Nullable Waiter leave(Waiter waiter) {
        Deque<Waiter> promoted = new ArrayDeque<>(1);
        lines.computeIfPresent(waiter.key, (key, line) -> {
            boolean head = line.peekFirst() == waiter;
            line.remove(waiter);
            if (head && !line.isEmpty()) {
                promoted.add(line.getFirst());
            }
            return line.isEmpty() ? null : line;
        });
        return promoted.pollFirst();
    }

    /** One caller: how to ask the store on its behalf, and the answer it waits for. */
    private final class Waiter {

        final String key;
        final long cost;
        final CompletableFuture<Decision> answer = new CompletableFuture<>();
        boolean first;

        private final long deadline;
        private final Function<Operation, CompletableFuture<Decision>> store;
        private volatile @Nullable CompletableFuture<Void> alarm;
        private volatile Decision.@Nullable Allowed held;

        Waiter(String key, long cost, long deadline, Function<Operation, CompletableFuture<Decision>> store) {
            this.key = key;
            this.cost = cost;
            this.deadline = deadline;
            this.store = store;
        }

        CompletableFuture<Decision> ask(Operation operation) {
            return store.apply(operation);
        }

        long budget() {
            return Math.max(0, deadline - time.nowMicros());
        }

        /** Keeps a grant until its slot comes. */
        void hold(Decision.Allowed granted) {
            held = granted;
            wakeAfter(granted.delay().toNanos() / 1_000, () -> answer.complete(granted));
            if (answer.isDone()) {
                returnGrant();
            }
        }

        void answer(@Nullable Decision decision, @Nullable Throwable failure) {
            if (decision == null) {
                answer.completeExceptionally(
                        failure == null ? new StoreException("the store gave no answer") : failure);
            } else if (!answer.complete(decision) && decision instanceof Decision.Allowed granted) {
                giveBack.accept(granted);
            }
        }

        void returnGrant() {
            Decision.Allowed granted = held;
            if (granted != null) {
                giveBack.accept(granted);
            }
        }

        void wakeAfter(long micros, Runnable action) {
            CompletableFuture<Void> next = time.after(micros);
            alarm = next;
            next.thenRun(action);
            if (answer.isDone()) {
                stopAlarm();
            }
        }

        void stopAlarm() {
            CompletableFuture<Void> pending = alarm;
            if (pending != null) {
                pending.cancel(false);
            }
        }
    }
}
