package io.headgate.http.client;

import io.headgate.TimeSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What a server has said about the budget of one client, and those who wait until it allows more.
 *
 * <p>A server counts a request some time between its departure and its answer. So requests on their way are taken as not counted yet:
 * what may be sent is what the server says remains, less those. An answer may be long in coming though the request was counted at once, or
 * never come, so a request is on its way for this purpose for ten to twenty seconds only.
 */
final class LearnedBudget {

    /** For how long a request without an answer is taken as not counted, at least; twice that at most. */
    private static final long ON_ITS_WAY_MICROS = 10_000_000;

    /** How often those in line look whether a request on its way has been on it for too long. */
    private static final long LOOK_MICROS = 1_000_000;

    private static final int MOST_WINDOWS = 8;

    private final TimeSource time;
    private final Map<String, LearnedWindow> windows = new LinkedHashMap<>(2);

    /** Those who wait, in the order in which they asked for a permit. */
    private final TreeMap<Long, Waiter> line = new TreeMap<>();

    private Departures latest = new Departures(0);
    private Departures earlier = new Departures(0);
    private long alarmMicros = Long.MAX_VALUE;
    private long sharedUntilMicros;

    /** Whether those in line have yet to be told that the wait has become longer. */
    private boolean isLater;

    LearnedBudget(TimeSource time) {
        this.time = time;
    }

    /** The requests of some seconds that have no answer yet. */
    static final class Departures {

        private final long beganMicros;
        private int unanswered;

        Departures(long beganMicros) {
            this.beganMicros = beganMicros;
        }
    }

    /**
     * The right to send one request, or how long there is none.
     *
     * @param departures where the request counts; {@code null} if it may not be sent
     */
    record Slot(@Nullable Departures departures, long sentMicros, long waitMicros) {}

    private static final class Waiter extends CompletableFuture<Slot> {

        final long deadlineMicros;

        Waiter(long deadlineMicros) {
            this.deadlineMicros = deadlineMicros;
        }
    }

    /** How long nobody may send, as far as that is known. */
    synchronized long waitMicros() {
        long wait = waitMicros(time.nowMicros());
        return wait == Long.MAX_VALUE ? 0 : wait;
    }

    /**
     * Waits for a slot.
     *
     * @param place who is ahead of whom: the lowest is first
     */
    CompletableFuture<Slot> enter(long place, long deadlineMicros) {
        Waiter waiter;
        synchronized (this) {
            long now = time.nowMicros();
            long wait = waitMicros(now);
            if (wait == 0 && (line.isEmpty() || place < line.firstKey())) {
                return CompletableFuture.completedFuture(admit(now));
            }
            if (isTooLong(wait, now, deadlineMicros)) {
                return CompletableFuture.completedFuture(denied(wait));
            }
            waiter = new Waiter(deadlineMicros);
            line.put(place, waiter);
        }
        CompletableFuture<Void> end = time.after(deadlineMicros - time.nowMicros());
        waiter.whenComplete((slot, failure) -> {
            end.cancel(false);
            leave(place, waiter);
        });
        end.thenRun(() -> {
            serve(); // the time may be over for both: for the waiter and for the budget
            waiter.complete(denied(waitMicrosNow()));
        });
        serve();
        return waiter;
    }

    private synchronized long waitMicrosNow() {
        return waitMicros(time.nowMicros());
    }

    private void leave(long place, Waiter waiter) {
        boolean left;
        synchronized (this) {
            left = line.remove(place, waiter);
        }
        if (left) {
            serve();
        }
    }

    private static boolean isTooLong(long wait, long now, long deadline) {
        return now >= deadline || (wait != Long.MAX_VALUE && wait > deadline - now);
    }

    private static Slot denied(long wait) {
        return new Slot(null, 0, wait == 0 || wait == Long.MAX_VALUE ? AnswerReader.USUAL_WAIT_MICROS : wait);
    }

    private Slot admit(long now) {
        age(now);
        latest.unanswered++;
        windows.values().forEach(window -> window.send(now));
        return new Slot(latest, now, 0);
    }

    private long waitMicros(long now) {
        if (windows.isEmpty()) {
            return 0;
        }
        long onTheirWay = onTheirWay(now);
        long wait = 0;
        for (LearnedWindow window : windows.values()) {
            wait = Math.max(wait, window.waitMicros(onTheirWay, now));
        }
        return wait;
    }

    private long onTheirWay(long now) {
        age(now);
        return (long) latest.unanswered + earlier.unanswered;
    }

    private void age(long now) {
        long age = now - latest.beganMicros;
        if (age >= ON_ITS_WAY_MICROS) {
            earlier = age < 2 * ON_ITS_WAY_MICROS ? latest : new Departures(now);
            latest = new Departures(now);
        }
    }

    /**
     * Takes note of an answer.
     *
     * @return for how long the budget is used up, if other instances are to know; else 0
     */
    long answered(Slot slot, List<ToldBudget> told) {
        long news = 0;
        boolean quiet;
        synchronized (this) {
            arrived(slot);
            if (!windows.isEmpty() || !told.isEmpty()) {
                news = learn(slot, told);
            }
            quiet = line.isEmpty();
        }
        if (!quiet) {
            serve();
        }
        return news;
    }

    private void arrived(Slot slot) {
        if (slot.departures != null) {
            slot.departures.unanswered--;
        }
    }

    private long learn(Slot slot, List<ToldBudget> told) {
        long now = time.nowMicros();
        for (ToldBudget each : told) {
            boolean isOrder = each.policy().equals(ToldBudget.WAIT); // which counts however many policies there are
            if (isOrder || windows.size() < MOST_WINDOWS || windows.containsKey(each.policy())) {
                windows.computeIfAbsent(each.policy(), missing -> new LearnedWindow())
                        .tell(each, slot.sentMicros, now);
            }
        }
        windows.values().removeIf(window -> window.forgottenBy(slot.sentMicros));
        long until = 0;
        for (LearnedWindow window : windows.values()) {
            until = Math.max(until, window.usedUpUntilMicros());
        }
        if (until <= Math.max(now, sharedUntilMicros)) {
            return 0;
        }
        sharedUntilMicros = until;
        isLater = true;
        return until - now;
    }

    /** Another instance has been told to wait. */
    void pause(long micros) {
        synchronized (this) {
            long now = time.nowMicros();
            sharedUntilMicros = Math.max(sharedUntilMicros, now + micros);
            windows.computeIfAbsent(ToldBudget.WAIT, missing -> new LearnedWindow())
                    .tell(new ToldBudget(ToldBudget.WAIT, 0, ToldBudget.UNKNOWN, micros), now, now);
            isLater = true;
        }
        serve();
    }

    /** There will be no answer, so nobody knows whether the server has counted the request: it stays on its way. */
    void failed() {
        serve();
    }

    /** The request is not sent after all. */
    void giveBack(Slot slot) {
        synchronized (this) {
            arrived(slot);
            windows.values().forEach(window -> window.giveBack(slot.sentMicros));
        }
        serve();
    }

    /** Admits those who are first as long as there are slots, and wakes up when there may be more. */
    private void serve() {
        List<Waiter> served = new ArrayList<>(1);
        List<Slot> slots = new ArrayList<>(1);
        long alarm = 0;
        long sleep = 0;
        synchronized (this) {
            long now = time.nowMicros();
            long wait = 0;
            while (!line.isEmpty() && (wait = waitMicros(now)) == 0) {
                served.add(line.pollFirstEntry().getValue());
                slots.add(admit(now));
            }
            if (isLater) {
                isLater = false;
                for (Iterator<Waiter> all = line.values().iterator(); all.hasNext(); ) {
                    Waiter waiter = all.next();
                    if (isTooLong(wait, now, waiter.deadlineMicros)) {
                        all.remove();
                        served.add(waiter);
                        slots.add(denied(wait));
                    }
                }
            }
            sleep = wait == Long.MAX_VALUE ? LOOK_MICROS : wait;
            alarm = now + sleep;
            if (line.isEmpty() || alarm >= alarmMicros) {
                sleep = 0;
            } else {
                alarmMicros = alarm;
            }
        }
        if (sleep > 0) {
            long wakeUp = alarm;
            time.after(sleep).thenRun(() -> wakeUp(wakeUp));
        }
        for (int i = 0; i < served.size(); i++) {
            if (!served.get(i).complete(slots.get(i))) {
                giveBack(slots.get(i));
            }
        }
    }

    private void wakeUp(long alarm) {
        synchronized (this) {
            alarmMicros = alarmMicros == alarm ? Long.MAX_VALUE : alarmMicros;
        }
        serve();
    }

    /** Whether nothing would be lost if all this was forgotten. */
    synchronized boolean isIdle() {
        long now = time.nowMicros();
        return line.isEmpty() && waitMicros(now) == 0 && onTheirWay(now) == 0;
    }
}
