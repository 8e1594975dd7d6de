package io.headgate.redis;

import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A thread that waits for an answer. Once woken, it wakes the next of its {@link Landing} before it goes on. */
final class Sleeper {

    /** The group of all virtual threads, by which Java 17 can tell what later ones have. */
    private static final String VIRTUAL_THREADS = "VirtualThreads";

    /** Who is to be woken after this one. */
    @Nullable
    Sleeper next;

    private final Thread thread = Thread.currentThread();
    private @Nullable Landing landing;
    private volatile boolean woken;

    /**
     * Whether others can rely on this thread to wake them: a virtual one that is woken may get no carrier while those that have one
     * sleep, and a pool wants to know that its worker does.
     */
    static boolean canBeThisThread() {
        Thread thread = Thread.currentThread();
        boolean virtual = VIRTUAL_THREADS.equals(thread.getThreadGroup().getName());
        return !virtual && !(thread instanceof ForkJoinWorkerThread);
    }

    boolean isWoken() {
        return woken;
    }

    /** Holds this thread until it is woken. Interrupts have to wait. */
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
