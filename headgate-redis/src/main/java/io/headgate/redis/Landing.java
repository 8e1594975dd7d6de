package io.headgate.redis;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The threads that wait for answers which have come with one call. They wake each other: to wake a thread is a system call, and whoever
 * reads the answers of Redis has the next ones to read.
 *
 * <p>The first {@link #CHAINS} are woken by whoever lands the call, when all have their answers and what others do with theirs is
 * done; each that is woken wakes one more before it goes on. So nobody is left asleep.
 */
final class Landing {

    /** Two, so that one thread that gets no processor does not hold up the others. */
    private static final int CHAINS = 2;

    private final AtomicReference<@Nullable Sleeper> first = new AtomicReference<>();
    private @Nullable Sleeper last;

    /** Read by others, too, who find that it is not them. */
    private @Nullable Thread owner = Thread.currentThread();

    /** Whether it is this thread that lands the call, and it has not woken anybody yet. */
    boolean isOurs() {
        return Thread.currentThread() == owner;
    }

    /** Only if it {@linkplain #isOurs is ours}. */
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
