package io.headgate;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Time that stands still until a test moves it; those who wait for a moment are told in the order of their moments. */
public class TestTime implements TimeSource {

    private final PriorityQueue<Alarm> alarms =
            new PriorityQueue<>(Comparator.comparingLong(Alarm::atMicros).thenComparingLong(Alarm::number));

    private volatile long now;
    private long numbers;

    private record Alarm(long atMicros, long number, CompletableFuture<Void> future) {}

    public TestTime(String start) {
        this(micros(Instant.parse(start)));
    }

    public TestTime(long startMicros) {
        now = startMicros;
    }

    /** Microseconds since the epoch. */
    public static long micros(Instant instant) {
        return instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1_000;
    }

    @Override
    public long nowMicros() {
        return now;
    }

    @Override
    public CompletableFuture<Void> after(long micros) {
        CompletableFuture<Void> future = new CompletableFuture<>();
        synchronized (alarms) {
            alarms.add(new Alarm(now + micros, numbers++, future));
        }
        return future;
    }

    public void advance(Duration duration) {
        advance(duration.toNanos() / 1_000);
    }

    /** Moves on, stopping at every moment somebody waits for. */
    public void advance(long micros) {
        long target = now + micros;
        for (Alarm next = nextUntil(target); next != null; next = nextUntil(target)) {
            next.future.complete(null);
        }
        synchronized (alarms) {
            now = Math.max(now, target);
        }
    }

    private @Nullable Alarm nextUntil(long target) {
        synchronized (alarms) {
            if (alarms.isEmpty() || alarms.peek().atMicros > target) {
                return null;
            }
            Alarm next = alarms.remove();
            now = Math.max(now, next.atMicros);
            return next;
        }
    }

    /** How many are waiting and have not given up. */
    public long pending() {
        synchronized (alarms) {
            return alarms.stream().filter(alarm -> !alarm.future.isDone()).count();
        }
    }
}
