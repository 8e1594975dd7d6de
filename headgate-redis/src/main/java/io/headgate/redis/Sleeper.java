package io.headgate.redis;

import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A thread that waits for an answer. Once woken, it wakes the next thread of its {@link Landing} before it continues. */
final class Sleeper {

    /** The thread group of all virtual threads, by which code for Java 17 recognizes them on later versions. */
    private static final String VIRTUAL_THREADS = "VirtualThreads";

    /** The thread to wake after this one. */
    @Nullable
    Sleeper next;

    private final Thread thread = Thread.currentThread();
    private @Nullable Landing landing;
    private volatile boolean woken;

    /**
     * Whether other threads can rely on this one to wake them. A woken virtual thread may get no carrier while the threads that
     * occupy the carriers sleep; and a fork-join pool needs to know that its worker blocks.
     */
    static boolean canBeThisThread() {
        Thread thread = Thread.currentThread();
        boolean virtual = VIRTUAL_THREADS.equals(thread.getThreadGroup().getName());
        return !virtual && !(thread instanceof ForkJoinWorkerThread);
    }

    boolean isWoken() {
        return woken;
    }

    /** Blocks this thread until it is woken. An interrupt does not end the wait; it is restored afterwards. */
    void sleep() {
        boolean interrupted = false;
        while (!woken) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
        }
        Landing together = landing;
        if (together != null) {
            together.wakeNext();
        }
        if (interrupted) {
            thread.interrupt();
        }
    }

    void wake(@Nullable Landing landing) {
        this.landing = landing;
        woken = true;
        LockSupport.unpark(thread);
    }
}
