package io.headgate.engine;

import io.headgate.Decision;
import io.headgate.TimeSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The future slots that a limiter has reserved, and the callers that wait for them.
 *
 * <p>Slots of one key and cost are interchangeable. The callers that wait for them are in the order of their slots, and whoever is
 * first takes the slot that begins next. So a caller who leaves lets all behind it move up, and the slot that is left over is the last
 * one: its charge is the one that the store can give back at once.
 */
final class ReservedSlots {

    private final TimeSource time;
    private final Consumer<Decision.Allowed> giveBack;
    private final ConcurrentHashMap<Kind, Queue> queues = new ConcurrentHashMap<>();

    /** @param giveBack refunds a grant that nobody waits for any more; must not throw */
    ReservedSlots(TimeSource time, Consumer<Decision.Allowed> giveBack) {
        this.time = time;
        this.giveBack = giveBack;
    }

    private record Kind(String key, long cost) {}

    /** The callers and as many slots, both in the order in which the slots begin; used only inside an atomic operation of the map. */
    private record Queue(Link callers, Link slots) {

        Queue() {
            this(new Link(), new Link());
        }

        void add(Caller caller, Slot slot) {
            Link lastCaller = callers.before();
            Link lastSlot = slots.before();
            while (lastSlot instanceof Slot other && other.beginMicros > slot.beginMicros) {
                lastCaller = lastCaller.before();
                lastSlot = lastSlot.before();
            }
            caller.insertAfter(lastCaller);
            slot.insertAfter(lastSlot);
        }

        Caller removeFirstCaller() {
            Caller first = (Caller) callers.after();
            first.unlink();
            return first;
        }

        Slot removeLastSlot() {
            Slot last = (Slot) slots.before();
            last.unlink();
            return last;
        }

        @Nullable
        Queue unlessEmpty() {
            return slots.linked() ? this : null;
        }
    }

    /** Lets the caller wait for the slot; its future completes with the grant of whichever slot it has by then. */
    void hold(String key, long cost, Decision.Allowed granted, CompletableFuture<Decision> answer) {
        long micros = granted.delay().toNanos() / 1_000;
        Kind kind = new Kind(key, cost);
        Caller caller = new Caller(answer);
        Slot slot = new Slot(granted, time.nowMicros() + micros);
        queues.compute(kind, (same, present) -> {
            Queue queue = present != null ? present : new Queue();
            queue.add(caller, slot);
            return queue;
        });
        answer.whenComplete((decision, failure) -> leave(kind, caller));
        slot.beginAfter(time.after(micros), () -> begin(kind, slot));
    }

    boolean isEmpty() {
        return queues.isEmpty();
    }

    /** Removes a caller that still waits, and gives the last slot back. */
    private void leave(Kind kind, Caller caller) {
        Slot[] last = new Slot[1];
        queues.computeIfPresent(kind, (same, queue) -> {
            last[0] = caller.unlink() ? queue.removeLastSlot() : null;
            return queue.unlessEmpty();
        });
        giveBack(last[0]);
    }

    private void begin(Kind kind, Slot slot) {
        Caller first = takeFirst(kind, slot);
        while (first != null && !first.answer.complete(slot.granted)) { // it left at this moment: the next one moves up
            Slot[] last = {slot};
            queues.computeIfPresent(kind, (same, queue) -> {
                slot.insertAfter(queue.slots);
                last[0] = queue.removeLastSlot();
                return queue;
            });
            giveBack(last[0]);
            first = takeFirst(kind, slot);
        }
    }

    /** Removes the slot and the first caller; {@code null} if the slot has been given back. */
    private @Nullable Caller takeFirst(Kind kind, Slot slot) {
        Caller[] first = new Caller[1];
        queues.computeIfPresent(kind, (same, queue) -> {
            first[0] = slot.unlink() ? queue.removeFirstCaller() : null;
            return queue.unlessEmpty();
        });
        return first[0];
    }

    private void giveBack(@Nullable Slot unwanted) {
        if (unwanted != null) {
            unwanted.cancel();
            giveBack.accept(unwanted.granted);
        }
    }

    private static final class Caller extends Link {

        final CompletableFuture<Decision> answer;

        Caller(CompletableFuture<Decision> answer) {
            this.answer = answer;
        }
    }

    /** A grant that takes effect later. */
    private static final class Slot extends Link {

        final Decision.Allowed granted;
        final long beginMicros;
        private volatile @Nullable CompletableFuture<Void> alarm;
        private volatile boolean cancelled;

        Slot(Decision.Allowed granted, long beginMicros) {
            this.granted = granted;
            this.beginMicros = beginMicros;
        }

        void beginAfter(CompletableFuture<Void> alarm, Runnable action) {
            this.alarm = alarm;
            alarm.thenRun(action);
            if (cancelled) {
                alarm.cancel(false);
            }
        }

        void cancel() {
            cancelled = true;
            CompletableFuture<Void> set = alarm;
            if (set != null) {
                set.cancel(false);
            }
        }
    }
}
