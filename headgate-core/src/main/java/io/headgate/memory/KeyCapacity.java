package io.headgate.memory;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** The number of cells that a store may hold over all its tables, and how many it holds. */
final class KeyCapacity {

    private final int max;
    private final Sweep sweep;
    private final AtomicInteger taken = new AtomicInteger();
    private final LongAdder overflowDecisions = new LongAdder();

    KeyCapacity(int max, Sweep sweep) {
        this.max = max;
        this.sweep = sweep;
    }

    /** Takes a place for one more cell if one is free or the sweep frees one. */
    boolean take() {
        if (taken() > 0) {
            sweep.visitFew();
        }
        if (tryTake()) {
            return true;
        }
        sweep.makeRoom();
        return tryTake();
    }

    private boolean tryTake() {
        return taken.getAndAccumulate(max, (places, most) -> Math.min(places + 1, most)) < max;
    }

    void giveBack() {
        taken.decrementAndGet();
    }

    int taken() {
        return taken.get();
    }

    void countOverflow() {
        overflowDecisions.increment();
    }

    long overflowDecisions() {
        return overflowDecisions.sum();
    }
}
