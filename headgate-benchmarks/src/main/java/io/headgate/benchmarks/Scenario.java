package io.headgate.benchmarks;

import java.util.Arrays;
import java.util.List;

/** One column of the table: a method of {@link Scenarios}, its contenders, and the target as a multiple of the floor. */
enum Scenario {
    ONE_KEY("oneKey", "one key, 1 thread", 1.3),
    HOT_KEY("hotKey", "hot key, 2 threads", 1.6),
    MILLION_KEYS("millionKeys", "10^6 keys, 2 threads", 1.25),
    MILLION_KEYS_REFILLED("millionKeysRefilled", "10^6 keys that refill, 2 threads", 1.25),
    SIXTEEN_KEYS_REFILLED("sixteenKeysRefilled", "16 keys that refill, 2 threads", 1.6),
    DENIED("denied", "denied, 1 thread", 1.3),
    TWO_LIMITS("twoLimits", "two limits, 1 thread", 2),
    EIGHT_LIMITS("eightLimits", "eight limits, 1 thread", 4);

    final String method;
    final String label;
    final double bar;

    Scenario(String method, String label, double bar) {
        this.method = method;
        this.label = label;
        this.bar = bar;
    }

    /** The contenders in this scenario, the floor first. */
    List<Contender> contenders() {
        return Arrays.stream(Contender.values()).filter(this::includes).toList();
    }

    boolean severalLimits() {
        return this == TWO_LIMITS || this == EIGHT_LIMITS;
    }

    private boolean includes(Contender contender) {
        if (severalLimits()) {
            return contender == Contender.FLOOR
                    || contender == Contender.TOKEN_BUCKET
                    || contender == Contender.BUCKET4J;
        }
        return switch (contender) {
            case FLOOR_RETRIED -> this == HOT_KEY;
            case TOKEN_BUCKET_CAFFEINE -> this == ONE_KEY || this == MILLION_KEYS || this == MILLION_KEYS_REFILLED;
            case TOKEN_BUCKET_ODD, LEAKY_BUCKET, SLIDING_WINDOW_LOG, SLIDING_WINDOW_COUNTER, SLIDING_WINDOW ->
                this == ONE_KEY;
            default -> true;
        };
    }
}
