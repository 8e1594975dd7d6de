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
 * A time source that stands still until a test moves it.
 *
 * <pre>{@code
 * ManualTime time = new ManualTime();
 * RateLimiter limiter = Headgate.builder().timeSource(time).build().limiter("login", Plan.parse("5/min"));
 * time.advance(Duration.ofSeconds(12));
 * }</pre>
 *
 * <p>The thread that moves the time completes the futures of {@link #after}, in the order of the times they wait for. While a
 * future completes, {@link #nowMicros} returns exactly the time it waited for. Thread-safe.
 */
public final class ManualTime implements StoreClock {

    /** The default start, on no boundary of a millisecond, second, minute, hour or day. */
    public static final Instant START = Instant.parse("2026-03-02T09:41:27.182818Z");

    private final TreeMap<Due, CompletableFuture<Void>> waiting =
            new TreeMap<>(Comparator.comparingLong(Due::atMicros).thenComparingLong(Due::number));

    private long nowMicros;

    /** The time at which the moves in progress end; ahead of {@code nowMicros} while the waiters before it are being completed. */
    private long targetMicros;

    private long number;

    /** @param number orders waiters for the same time: first come, first served */
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

    /** Moves the time ahead and completes all waiters for the times in between. */
    public void advanceMicros(long by) {
        if (by < 0) {
            throw new IllegalArgumentException("time advances, not by " + by + " us; stepBack moves it back");
        }
        synchronized (this) {
            targetMicros += by;
        }
        arrive();
    }

    /** Moves the time to an instant, which may lie in the past, as with a faulty clock. */
    public void set(Instant to) {
        synchronized (this) {
            targetMicros = micros(to);
            nowMicros = Math.min(nowMicros, targetMicros);
        }
        arrive();
    }

    /** Moves the time back. Waiters keep waiting for the same time as before. */
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

    /** How many futures of {@link #after} are not complete yet. */
    public synchronized int waiting() {
        return waiting.size();
    }

    private void arrive() {
        for (CompletableFuture<Void> next = next(); next != null; next = next()) {
            next.complete(null); // outside the lock: dependent actions run here and may read or move the time
        }
    }

    /** Moves to the time of the next waiter and removes it, or, if none is due, to the target. */
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
