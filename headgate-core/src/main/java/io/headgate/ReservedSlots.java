package io.headgate;

import java.util.ArrayList;
import java.util.List;
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
    private record Queue(List<CompletableFuture<Decision>> callers, List<Slot> slots) {

        void add(CompletableFuture<Decision> caller, Slot slot) {
            int place = slots.size();
            while (place > 0 && slots.get(place - 1).beginMicros > slot.beginMicros) {
                place--;
            }
            callers.add(place, caller);
            slots.add(place, slot);
        }

        Slot removeLast() {
            return slots.remove(slots.size() - 1);
        }
    }

    /** Lets the caller wait for the slot; its future completes with the grant of whichever slot it has by then. */
    void hold(String key, long cost, Decision.Allowed granted, CompletableFuture<Decision> caller) {
        long micros = granted.delay().toNanos() / 1_000;
        Kind kind = new Kind(key, cost);
        Slot slot = new Slot(granted, time.nowMicros() + micros);
        queues.compute(kind, (same, present) -> {
            Queue queue = present != null ? present : new Queue(new ArrayList<>(), new ArrayList<>());
            queue.add(caller, slot);
            return queue;
        });
        caller.whenComplete((answer, failure) -> leave(kind, caller));
        slot.beginAfter(time.after(micros), () -> begin(kind, slot));
    }

    boolean isEmpty() {
        return queues.isEmpty();
    }

    /** Removes a caller that still waits, and gives the last slot back. */
    private void leave(Kind kind, CompletableFuture<Decision> caller) {
        Slot[] last = new Slot[1];
        queues.computeIfPresent(kind, (same, queue) -> {
            last[0] = queue.callers.removeIf(each -> each == caller) ? queue.removeLast() : null;
            return queue.slots.isEmpty() ? null : queue;
        });
        giveBack(last[0]);
    }

    private void begin(Kind kind, Slot slot) {
        CompletableFuture<Decision> first = takeFirst(kind, slot);
        while (first != null && !first.complete(slot.granted)) { // it left at this moment: the next one moves up
            Slot[] last = {slot};
            queues.computeIfPresent(kind, (same, queue) -> {
                queue.slots.add(0, slot);
                last[0] = queue.removeLast();
                return queue;
            });
            giveBack(last[0]);
            first = takeFirst(kind, slot);
        }
    }

    /** Removes the slot and the first caller; {@code null} if the slot has been given back. */
    private @Nullable CompletableFuture<Decision> takeFirst(Kind kind, Slot slot) {
        List<CompletableFuture<Decision>> first = new ArrayList<>(1);
        queues.computeIfPresent(kind, (same, queue) -> {
            if (queue.slots.remove(slot)) {
                first.add(queue.callers.remove(0));
            }
            return queue.slots.isEmpty() ? null : queue;
        });
        return first.isEmpty() ? null : first.get(0);
    }

    private void giveBack(@Nullable Slot unwanted) {
        if (unwanted != null) {
            unwanted.cancel();
            giveBack.accept(unwanted.granted);
        }
    }

    /** A grant that takes effect later. */
    private static final class Slot {

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
