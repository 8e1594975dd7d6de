package io.headgate.http;

import java.util.Random;

/** Randomness that can be had again: every seed is printed, and {@code -Dheadgate.seed=...} replays it. */
public final class Seeds {

    private Seeds() {}

    public static Random random(Class<?> test) {
        long seed = Long.getLong("headgate.seed", System.nanoTime());
        System.out.println(test.getSimpleName() + ": -Dheadgate.seed=" + seed);
        return new Random(seed);
    }

    /** So many rounds, or twenty times as many when the proof is run. */
    public static int rounds(int usual) {
        return Boolean.getBoolean("headgate.proof") ? Math.multiplyExact(usual, 20) : usual;
    }
}
