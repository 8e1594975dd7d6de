package io.headgate.redis;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A thread that waits for an answer. Once woken, it wakes the next of its {@link Landing} before it goes on. */
final class Sleeper {

    private static final int ASLEEP = 0;
    private static final int WOKEN = 1;
    private static final int GONE = 2;

    /** Who is to be woken after this one. */
    @Nullable
    Sleeper next;

    private final Thread thread = Thread.currentThread();
    private final AtomicInteger state = new AtomicInteger(ASLEEP);
    private @Nullable Landing landing;

    /** Holds this thread until it is woken. Interrupts have to wait. */
    void sleep() {
        boolean interrupted = false;
        while (state.get() == ASLEEP) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
        }
        goOn(interrupted);
    }

    /** Holds this thread until it is woken, so many nanoseconds at most. */
    void sleep(long nanos) throws InterruptedException {
        long start = System.nanoTime();
        boolean interrupted = Thread.interrupted();
        for (long left = nanos; left > 0 && !interrupted && state.get() == ASLEEP; ) {
            LockSupport.parkNanos(this, left);
            interrupted = Thread.interrupted();
            left = nanos - (System.nanoTime() - start);
        }
        if (!state.compareAndSet(ASLEEP, GONE)) {
            goOn(interrupted);
        } else if (interrupted) {
            throw new InterruptedException();
        }
    }

    private void goOn(boolean interrupted) {
        Landing together = landing;
        if (together != null) {
            together.wakeNext();
        }
        if (interrupted) {
            thread.interrupt();
        }
    }

    /** False if it has gone in the meantime. */
    boolean wake(@Nullable Landing landing) {
        this.landing = landing;
        if (!state.compareAndSet(ASLEEP, WOKEN)) {
            return false;
        }
        LockSupport.unpark(thread);
        return true;
    }
}
