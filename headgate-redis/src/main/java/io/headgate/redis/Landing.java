package io.headgate.redis;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The threads that wait for answers which have come with one call. They wake each other: to wake a thread takes longer than
 * anything else that is done with its answer, and whoever reads the answers of Redis has the next ones to read.
 *
 * <p>The first {@link #CHAINS} are woken by whoever lands the call, when all have their answers. Each that is woken wakes one
 * more before it goes on, and one that has gone in the meantime is passed over, so nobody is left asleep.
 */
final class Landing {

    /** Two, so that one thread that gets no processor does not hold up the others. */
    private static final int CHAINS = 2;

    private final Thread owner = Thread.currentThread();
    private final AtomicReference<@Nullable Sleeper> first = new AtomicReference<>();
    private @Nullable Sleeper last;

    /** Whether it is this thread that lands the call. */
    boolean isOurs() {
        return Thread.currentThread() == owner;
    }

    /** Only for the thread that lands the call, before it {@linkplain #wake wakes} anybody. */
    void add(Sleeper sleeper) {
        if (last == null) {
            first.set(sleeper);
        } else {
            last.next = sleeper;
        }
        last = sleeper;
    }

    void wake() {
        for (int i = 0; i < CHAINS; i++) {
            wakeNext();
        }
    }

    void wakeNext() {
        for (Sleeper next = first.get(); next != null; next = first.get()) {
            if (first.compareAndSet(next, next.next) && next.wake(this)) {
                return;
            }
        }
    }
}
