package io.headgate.redis;

import io.headgate.TimeSource;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * How long threads wait that want to be woken at a deadline and do nothing else, at the same time as others check: how much of the
 * time of a check is due to the garbage collector, and to whatever else runs on a busy machine.
 */
final class IdleThreadDelays implements AutoCloseable {

    private static final int THREADS = 2;

    private final Duration deadline;
    private final Queue<Long> nanos = new ConcurrentLinkedQueue<>();
    private volatile boolean closed;

    IdleThreadDelays(Duration deadline) {
        this.deadline = deadline;
        for (int i = 0; i < THREADS; i++) {
            Thread thread = new Thread(this::wakeAgainAndAgain, "bare-alarm");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void wakeAgainAndAgain() {
        while (!closed) {
            long start = System.nanoTime();
            TimeSource.system().await(new CompletableFuture<>(), deadline.toNanos() / 1_000);
            nanos.add(System.nanoTime() - start);
        }
    }

    /** What that share of them took at most: the deadline, and what this machine adds to it. */
    Duration quantile(double share) {
        return RequestTimings.quantile(nanos, share);
    }

    /** How much the latest was too late. */
    Duration delay() {
        return quantile(1).minus(deadline);
    }

    @Override
    public void close() {
        closed = true;
    }
}
