package io.headgate.benchmarks;

import io.headgate.Headgate;
import io.headgate.Plan;
import io.headgate.RateLimiter;
import io.headgate.TimeSource;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Measures the first request of a key: in an empty store, after a flood of keys that have come and gone, and while keys come and go
 * all the time. The floor adds a counter to a map and never forgets it.
 *
 * <p>Prints one table. The longest times of any program contain what else runs on the machine: compare them with the floor.
 */
public final class NewKeys {

    private static final int FLOOD = 900_000;
    private static final int MEASURED = 200_000;

    /** How far the time is ahead of the system's. */
    private final AtomicLong ahead = new AtomicLong();

    private final SplittableRandom random = new SplittableRandom(7);

    private NewKeys() {}

    public static void main(String[] arguments) {
        System.out.println("| new keys | median | p99 | p99.99 | longest |\n|---|---|---|---|---|");
        for (int round = 0; round < 2; round++) { // the first one is for the compiler
            boolean print = round == 1;
            new NewKeys().floor(print);
            new NewKeys().headgate(print);
        }
    }

    private void floor(boolean print) {
        ConcurrentHashMap<String, AtomicLong> map = new ConcurrentHashMap<>();
        Consumer<String> add =
                key -> map.computeIfAbsent(key, missing -> new AtomicLong()).set(System.nanoTime());
        report("floor, empty", print, measure(add, 0));
        add(add, FLOOD, 0);
        report("floor, after a flood", print, measure(add, 0));
    }

    private void headgate(boolean print) {
        TimeSource time = () -> TimeSource.system().nowMicros() + ahead.get();
        RateLimiter limiter = Headgate.builder().timeSource(time).build().limiter("api", Plan.parse("5/min"));
        report("Headgate, empty", print, measure(limiter::tryAcquire, 0));
        add(limiter::tryAcquire, FLOOD - MEASURED, 0);
        report("Headgate, among a million", print, measure(limiter::tryAcquire, 0));
        add(limiter::tryAcquire, FLOOD, 100_000); // the flood is forgotten, and whoever came since
        report("Headgate, after the flood", print, measure(limiter::tryAcquire, 100_000));
        add(limiter::tryAcquire, FLOOD, 100);
        report("Headgate, keys come and go", print, measure(limiter::tryAcquire, 100));
    }

    private void add(Consumer<String> limiter, int count, long stepMicros) {
        for (int i = 0; i < count; i++) {
            ahead.addAndGet(stepMicros);
            limiter.accept(key());
        }
    }

    /** A key that nobody had before, and whose hash is near no other. */
    private String key() {
        return Long.toHexString(random.nextLong());
    }

    /** The times of many new keys in nanoseconds, sorted. The time advances by the given microseconds with each key. */
    private long[] measure(Consumer<String> limiter, long stepMicros) {
        long[] nanos = new long[MEASURED];
        for (int i = 0; i < MEASURED; i++) {
            String key = key();
            ahead.addAndGet(stepMicros);
            long start = System.nanoTime();
            limiter.accept(key);
            nanos[i] = System.nanoTime() - start;
        }
        Arrays.sort(nanos);
        return nanos;
    }

    private static void report(String label, boolean print, long[] nanos) {
        if (print) {
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %,d ns | %,d ns | %,d ns | %,d ns |%n",
                    label,
                    nanos[MEASURED / 2],
                    nanos[MEASURED / 100 * 99],
                    nanos[MEASURED - 1 - MEASURED / 10_000],
                    nanos[MEASURED - 1]);
        }
    }
}
