package io.headgate;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Where a store in process takes the time from. It never goes back: a reading that follows another, in the sense of
 * happens-before, is not smaller.
 */
public interface TimeSource {

    /** Microseconds since the epoch. */
    long nowMicros();

    /** A future that completes when so much of this time has passed; whoever completes or cancels it before has it forgotten. */
    default CompletableFuture<Void> after(long micros) {
        CompletableFuture<Void> alarm = new CompletableFuture<>();
        alarm.completeOnTimeout(null, micros, TimeUnit.MICROSECONDS);
        // One thread rings all alarms of the process: whoever waited goes on elsewhere.
        CompletableFuture<Void> awake = alarm.thenRunAsync(() -> {}, Elsewhere.THREADS);
        awake.whenComplete((done, failure) -> alarm.complete(null)); // to cancel it would cost an exception each time
        return awake;
    }

    /** Waits for the future, until so much of this time has passed at most: whether it is done by then. Interrupts have to wait, too. */
    default boolean await(CompletableFuture<?> future, long micros) {
        if (future.isDone()) {
            return true;
        }
        CompletableFuture<Void> alarm = after(micros);
        CompletableFuture.anyOf(future, alarm).exceptionally(failure -> null).join();
        alarm.complete(null);
        return future.isDone();
    }

    /** The time of this machine: monotonic, and true to the wall clock. */
    static TimeSource system() {
        return AnchoredTime.SYSTEM;
    }
}
