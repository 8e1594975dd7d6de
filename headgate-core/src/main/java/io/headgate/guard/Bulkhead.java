package io.headgate.guard;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets a limited number of concurrent calls in, so that a store that hangs holds up a bounded number of them. A call that is not
 * let in learns this at once.
 */
final class Bulkhead {

    private final int most;
    private final AtomicInteger inside = new AtomicInteger();

    Bulkhead(int most) {
        this.most = most;
    }

    /** Lets a call in if there is room; such a call has to {@link #leave}. */
    boolean tryEnter() {
        int now = inside.get();
        while (now < most) {
            int seen = inside.compareAndExchange(now, now + 1);
            if (seen == now) {
                return true;
            }
            now = seen;
        }
        return false;
    }

    void leave() {
        inside.decrementAndGet();
    }

    int inside() {
        return inside.get();
    }
}
