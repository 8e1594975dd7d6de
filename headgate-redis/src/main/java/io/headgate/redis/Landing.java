package io.headgate.redis;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The threads that wait for the answers of one call. They wake each other: waking a thread takes a system call, and the thread that
 * reads the answers of Redis has the next ones to read.
 *
 * <p>The thread that lands the call wakes the first {@link #CHAINS} of them, after it has handed out all answers and run the
 * callbacks of the futures; each woken thread wakes one more before it continues. So no thread is left asleep.
 */
final class Landing {

    /** Two, so that one thread that gets no processor does not hold up the others. */
    private static final int CHAINS = 2;

    private final AtomicReference<@Nullable Sleeper> first = new AtomicReference<>();
    private @Nullable Sleeper last;

    /** Other threads read this field, too: whatever they see, it is not themselves. */
    private @Nullable Thread owner = Thread.currentThread();

    /** Whether this thread lands the call and has not yet begun to wake others. */
    boolean isOurs() {
        return Thread.currentThread() == owner;
    }

    /** Adds a thread to wake. Only for the thread that {@linkplain #isOurs lands the call}. */
    void add(Sleeper sleeper) {
        if (last == null) {
            first.set(sleeper);
        } else {
            last.next = sleeper;
        }
        last = sleeper;
    }

    void wake() {
        owner = null;
        for (int i = 0; i < CHAINS; i++) {
            wakeNext();
        }
    }

    void wakeNext() {
        for (Sleeper next = first.get(); next != null; next = first.get()) {
            if (first.compareAndSet(next, next.next)) {
                next.wake(this);
                return;
            }
        }
    }
}
