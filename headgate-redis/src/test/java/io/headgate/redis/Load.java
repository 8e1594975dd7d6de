package io.headgate.redis;

import io.headgate.Decision;
import io.headgate.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;

/** Many threads that keep asking, and what they were told. */
final class Load implements AutoCloseable {

    private final ExecutorService threads;
    private final List<Future<?>> running = new ArrayList<>();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final LongAdder granted = new LongAdder();
    private final LongAdder denied = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final Set<String> failures = ConcurrentHashMap.newKeySet();

    private Load(int threads) {
        this.threads = Executors.newFixedThreadPool(threads);
    }

    /** So many requests by each thread; the number of a request is its own. */
    static Load of(int threads, int each, IntFunction<Decision> request) {
        Load load = new Load(threads);
        for (int thread = 0; thread < threads; thread++) {
            int first = thread * each;
            load.start(() -> {
                for (int i = first; i < first + each && !load.stopped.get(); i++) {
                    load.ask(request, i);
                }
            });
        }
        return load;
    }

    /** Requests by each thread until that is so, or until it is stopped. */
    static Load until(int threads, BooleanSupplier enough, IntFunction<Decision> request) {
        Load load = new Load(threads);
        for (int thread = 0; thread < threads; thread++) {
            int number = thread;
            load.start(() -> {
                while (!load.stopped.get() && !enough.getAsBoolean()) {
                    load.ask(request, number);
                }
            });
        }
        return load;
    }

    private void start(Runnable work) {
        running.add(threads.submit(work));
    }

    private void ask(IntFunction<Decision> request, int number) {
        try {
            (request.apply(number).allowed() ? granted : denied).increment();
        } catch (StoreException e) {
            failed.increment();
            failures.add(String.valueOf(e.getMessage()));
        }
    }

    long granted() {
        return granted.sum();
    }

    long denied() {
        return denied.sum();
    }

    long failed() {
        return failed.sum();
    }

    long asked() {
        return granted() + denied() + failed();
    }

    /** What the failures said, each once. */
    Set<String> failures() {
        return failures;
    }

    /** Waits until every thread has asked what it had to. */
    Load finish() throws Exception {
        for (Future<?> each : running) {
            each.get(120, TimeUnit.SECONDS);
        }
        return this;
    }

    /** Ends after the requests under way. */
    Load stop() throws Exception {
        stopped.set(true);
        return finish();
    }

    @Override
    public void close() {
        stopped.set(true);
        threads.shutdownNow();
    }

    @Override
    public String toString() {
        return granted() + " granted, " + denied() + " denied, " + failed() + " failed " + failures;
    }
}
