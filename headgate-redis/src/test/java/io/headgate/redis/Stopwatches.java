package io.headgate.redis;

import io.headgate.Decision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/** Times what many threads ask, each request for itself. */
final class Stopwatches {

    private final Queue<Decision> decisions = new ConcurrentLinkedQueue<>();
    private final Queue<Long> nanos = new ConcurrentLinkedQueue<>();

    /** So many requests by each thread, each with a number of its own. */
    void time(int threads, int each, IntFunction<Decision> request) throws Exception {
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
                    }
                }));
            }
            for (Future<?> thread : running) {
                thread.get();
            }
        } finally {
            pool.shutdownNow();
        }
    }

    /** Forgets what was decided, but not how long it took. */
    void reset() {
        decisions.clear();
    }

    List<Decision> decisions() {
        return List.copyOf(decisions);
    }

    long longerThan(Duration time) {
        return nanos.stream().filter(each -> each > time.toNanos()).count();
    }
}
