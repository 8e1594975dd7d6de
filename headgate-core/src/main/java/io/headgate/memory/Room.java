package io.headgate.memory;

import java.util.Collection;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** The number of cells that a store may hold over all its spaces, and how many it holds. */
final class Room {

    private final int max;
    private final Collection<Space> spaces;
    private final AtomicInteger taken = new AtomicInteger();
    private final LongAdder overflowDecisions = new LongAdder();

    Room(int max, Collection<Space> spaces) {
        this.max = max;
        this.spaces = spaces;
    }

    /** Takes a place for one more cell if one is free or a sweep frees one. */
    boolean take(Space newcomer) {
        newcomer.sweep(Space.FEW);
        if (tryTake()) {
            return true;
        }
        newcomer.sweep(Space.MANY);
        if (!tryTake()) {
            for (Space space : spaces) {
                if (space != newcomer) {
                    space.sweep(Space.FEW);
                }
            }
            return tryTake();
        }
        return true;
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
