package io.headgate;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The source of time for an in-process store. Time never goes back: a reading that follows another (in the sense of happens-before)
 * is not smaller.
 */
public interface TimeSource {

    /** Microseconds since the epoch. */
    long nowMicros();

    /**
     * A future that completes when the given time has passed on this time source. Completing or cancelling it earlier removes its
     * timer.
     */
    default CompletableFuture<Void> after(long micros) {
        CompletableFuture<Void> alarm = new CompletableFuture<>();
        alarm.completeOnTimeout(null, micros, TimeUnit.MICROSECONDS);
        // One JDK thread completes all timers of the process: callers continue on threads of their own.
        CompletableFuture<Void> awake = alarm.thenRunAsync(() -> {}, WaitExecutor.THREADS);
        awake.whenComplete((done, failure) -> alarm.complete(null)); // cancelling would create an exception each time
        return awake;
    }

    /**
     * Waits until the future is done, but no longer than the given time, and returns whether it is done. An interrupt does not end
     * the wait.
     */
    default boolean await(CompletableFuture<?> future, long micros) {
        if (future.isDone()) {
            return true;
        }
        CompletableFuture<Void> alarm = after(micros);
        CompletableFuture.anyOf(future, alarm).exceptionally(failure -> null).join();
        alarm.complete(null);
        return future.isDone();
    }

    /** The time of this machine: monotonic, and kept in line with the wall clock. */
    static TimeSource system() {
        return AnchoredTime.SYSTEM;
    }
}
