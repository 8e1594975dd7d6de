package io.headgate.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Time that stands still until it is moved.
 *
 * <pre>{@code
 * ManualTime time = new ManualTime();
 * RateLimiter limiter = Headgate.builder().timeSource(time).build().limiter("login", Plan.parse("5/min"));
 * time.advance(Duration.ofSeconds(12));
 * }</pre>
 *
 * <p>Whoever waits for it is woken by the thread that moves it, in the order of the times they wait for, and finds exactly that
 * time. Thread-safe.
 */
public final class ManualTime implements Clockwork {

    /** Where time starts unless told otherwise: on no boundary of anything. */
    public static final Instant START = Instant.parse("2026-03-02T09:41:27.182818Z");

    private final TreeMap<Due, CompletableFuture<Void>> waiting =
            new TreeMap<>(Comparator.comparingLong(Due::atMicros).thenComparingLong(Due::number));

    private long nowMicros;

    /** Where the moves under way lead; ahead of now while waiters on the way there are being woken. */
    private long targetMicros;

    private long number;

    /** @param number tells waiters for the same time apart, first come first */
    private record Due(long atMicros, long number) {}

    public ManualTime() {
        this(START);
    }

    public ManualTime(Instant start) {
        nowMicros = micros(start);
        targetMicros = nowMicros;
    }

    @Override
    public synchronized long nowMicros() {
        return nowMicros;
    }

    public Instant now() {
        return Instant.EPOCH.plus(nowMicros(), ChronoUnit.MICROS);
    }

    @Override
    public void advance(Duration by) {
        advanceMicros(by.toNanos() / 1_000);
    }

    /** Lets so much time pass and wakes whoever waited for a time on the way. */
    public void advanceMicros(long by) {
        if (by < 0) {
            throw new IllegalArgumentException("time advances, not by " + by + " us; stepBack moves it back");
        }
        synchronized (this) {
            targetMicros += by;
        }
        arrive();
    }

    /** Moves the time there; back as well, which no good clock does. */
    public void set(Instant to) {
        synchronized (this) {
            targetMicros = micros(to);
            nowMicros = Math.min(nowMicros, targetMicros);
        }
        arrive();
    }

    /** Moves the time back. Whoever waits goes on waiting for the time it waited for. */
    @Override
    public void stepBack(Duration by) {
        if (by.isNegative()) {
            throw new IllegalArgumentException("time steps back, not by " + by);
        }
        set(now().minus(by));
    }

    @Override
    public CompletableFuture<Void> after(long micros) {
        CompletableFuture<Void> future = new CompletableFuture<>();
        if (micros <= 0) {
            future.complete(null);
            return future;
        }
        Due due;
        synchronized (this) {
            due = new Due(nowMicros + micros, number++);
            waiting.put(due, future);
        }
        future.whenComplete((done, failure) -> forget(due));
        return future;
    }

    /** How many wait for a time to come. */
    public synchronized int waiting() {
        return waiting.size();
    }

    private void arrive() {
        for (CompletableFuture<Void> next = next(); next != null; next = next()) {
            next.complete(null); // outside the lock: what depends on it runs here and may ask for the time, or move it
        }
    }

    /** Goes to the next time somebody waits for, or else to the end of the way. */
    private synchronized @Nullable CompletableFuture<Void> next() {
        Map.Entry<Due, CompletableFuture<Void>> first = waiting.firstEntry();
        if (first == null || first.getKey().atMicros > targetMicros) {
            nowMicros = targetMicros;
            return null;
        }
        waiting.remove(first.getKey());
        nowMicros = Math.max(nowMicros, first.getKey().atMicros);
        return first.getValue();
    }

    private synchronized void forget(Due due) {
        waiting.remove(due);
    }

    private static long micros(Instant instant) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
    }
}
