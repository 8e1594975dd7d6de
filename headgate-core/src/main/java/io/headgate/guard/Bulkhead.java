package io.headgate.guard;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets in so many calls at a time and no more, so that a store that hangs costs a bounded number of them. Who is not let in is
 * told at once.
 */
final class Bulkhead {

    private final int most;
    private final AtomicInteger inside = new AtomicInteger();

    Bulkhead(int most) {
        this.most = most;
    }

    /** Lets a call in; it has to {@link #leave}. */
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
