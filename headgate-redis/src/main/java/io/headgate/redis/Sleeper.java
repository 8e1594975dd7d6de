package io.headgate.redis;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A thread that waits for an answer. Once woken, it wakes the next of its {@link Landing} before it goes on. */
final class Sleeper {

    /** {@code Thread.isVirtual}, where there is one. */
    private static final @Nullable MethodHandle IS_VIRTUAL = isVirtual();

    /** Who is to be woken after this one. */
    @Nullable
    Sleeper next;

    private final Thread thread = Thread.currentThread();
    private @Nullable Landing landing;
    private volatile boolean woken;

    /**
     * Whether others can rely on that thread to wake them: a virtual one that is woken may get no carrier while those that have one
     * sleep, and a pool wants to know that its worker does.
     */
    static boolean canBe(Thread thread) {
        return !(thread instanceof ForkJoinWorkerThread) && !isVirtual(thread);
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

    private static boolean isVirtual(Thread thread) {
        try {
            return IS_VIRTUAL != null && (boolean) IS_VIRTUAL.invokeExact(thread);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    private static @Nullable MethodHandle isVirtual() {
        try {
            return MethodHandles.lookup().findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
        } catch (NoSuchMethodException | IllegalAccessException e) {
            return null; // before Java 21 there are none
        }
    }
}
