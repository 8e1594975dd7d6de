package io.headgate.redis;

import io.headgate.Decision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;

/** Times what many threads ask, each request for itself. */
final class RequestTimings {

    /** Between requests, so that a breaker has time to try whether the store is back. */
    private static final long PAUSE_NANOS = 5_000_000;

    private final Queue<Decision> decisions = new ConcurrentLinkedQueue<>();
    private final Queue<Long> nanos = new ConcurrentLinkedQueue<>();

    /** So many requests by each thread, each with a number of its own; what was decided. */
    List<Decision> time(int threads, int each, IntFunction<Decision> request) throws Exception {
        decisions.clear();
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                int first = thread * each;
                running.add(pool.submit(() -> {
                    for (int i = first; i < first + each; i++) {
                        long start = System.nanoTime();
                        decisions.add(request.apply(i));
                        nanos.add(System.nanoTime() - start);
                        LockSupport.parkNanos(PAUSE_NANOS);
                    }
                }));
            }
            for (Future<?> thread : running) {
                thread.get(60, TimeUnit.SECONDS);
            }
        } finally {
            pool.shutdownNow();
        }
        return List.copyOf(decisions);
    }

    int count() {
        return nanos.size();
    }

    /** What that share of the requests took at most. */
    Duration quantile(double share) {
        return quantile(nanos, share);
    }

    static Duration quantile(Collection<Long> nanos, double share) {
        long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
        int index = (int) Math.ceil(share * sorted.length) - 1;
        return Duration.ofNanos(sorted[Math.max(0, index)]);
    }
}
