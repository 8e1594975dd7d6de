package io.headgate.testkit;

import java.util.Random;

/** Reproducible randomness for tests: every seed is printed, and {@code -Dheadgate.seed=...} replays it. */
public final class Seeds {

    private Seeds() {}

    public static Random random(Class<?> test) {
        long seed = Long.getLong("headgate.seed", System.nanoTime());
        System.out.println(test.getSimpleName() + ": -Dheadgate.seed=" + seed);
        return new Random(seed);
    }

    /** The number of rounds to run: the usual one, or a hundred times as many with {@code -Dheadgate.proof=true}. */
    public static int rounds(int usual) {
        return Boolean.getBoolean("headgate.proof") ? Math.multiplyExact(usual, 100) : usual;
    }
}
