package io.headgate.redis;

import java.util.Random;

/** Random numbers that can be had again with {@code -Dheadgate.seed}, and how many rounds to make with them. */
public final class Seeds {

    private Seeds() {}

    /** A seed to print when something fails. */
    public static long next() {
        return Long.getLong("headgate.seed", new Random().nextLong());
    }

    /** So many rounds, ten times as many under {@code -Dheadgate.proof=true}, one if a seed is given. */
    public static int rounds(int usual) {
        return Long.getLong("headgate.seed") != null ? 1 : Boolean.getBoolean("headgate.proof") ? 10 * usual : usual;
    }
}
