package io.headgate.benchmarks.redis;

import com.sun.management.OperatingSystemMXBean;
import io.headgate.rig.RedisServer;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Runs threads that check keys without a pause for some time. An answer that does not fit the situation ends the run. */
final class Load {

    private static final int THREADS = 32;

    private final RedisServer server;
    private final Situation situation;
    final Peer peer;
    final Checker checker;
    private final AtomicLong keys = new AtomicLong();

    Load(RedisServer server, Situation situation, Peer peer, Checker checker) {
        this.server = server;
        this.situation = situation;
        this.peer = peer;
        this.checker = checker;
    }

    /** Measures for {@code millis} milliseconds, after {@code before} milliseconds that do not count. */
    Measured run(long before, long millis) throws InterruptedException, ExecutionException {
        ask(before);
        long calls = calls();
        long redis = server.cpuTime().toNanos();
        long client = clientCpuNanos();
        long begin = System.nanoTime();
        List<Asked> asked = ask(millis);
        double seconds = (System.nanoTime() - begin) / 1e9;
        double checks = asked.stream().mapToLong(each -> each.count).sum();
        double clientMicros = (clientCpuNanos() - client) / 1e3;
        double redisMicros = (server.cpuTime().toNanos() - redis) / 1e3;
        long[] nanos = asked.stream()
                .flatMapToLong(each -> Arrays.stream(each.nanos))
                .sorted()
                .toArray();
        return new Measured(
                checks / seconds,
                nanos[nanos.length / 2] / 1e3,
                nanos[nanos.length * 99 / 100] / 1e3,
                (calls() - calls) / checks,
                redisMicros / checks,
                clientMicros / checks);
    }

    private long calls() {
        return server.calls("evalsha") + server.calls("eval");
    }

    private static long clientCpuNanos() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    /** The checks of one thread. */
    private static final class Asked {

        final long count;

        /** The durations of the latest checks. */
        final long[] nanos;

        Asked(long count, long[] nanos) {
            this.count = count;
            this.nanos = nanos;
        }
    }

    private List<Asked> ask(long millis) throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
            List<Callable<Asked>> tasks = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                tasks.add(() -> askUntil(end));
            }
            List<Asked> all = new ArrayList<>();
            for (Future<Asked> each : threads.invokeAll(tasks)) {
                all.add(each.get());
            }
            return all;
        } finally {
            threads.shutdownNow();
        }
    }

    private Asked askUntil(long end) {
        long[] latest = new long[1 << 14];
        int count = 0;
        for (long before = System.nanoTime(); before < end; count++) {
            String key = situation.next(peer, keys);
            if (!situation.isRight(checker.check(key))) {
                throw new IllegalStateException("a wrong answer of " + peer + " for " + key + ", " + situation.label);
            }
            long after = System.nanoTime();
            latest[count & (latest.length - 1)] = after - before;
            before = after;
        }
        return new Asked(count, Arrays.copyOf(latest, Math.min(count, latest.length)));
    }
}
