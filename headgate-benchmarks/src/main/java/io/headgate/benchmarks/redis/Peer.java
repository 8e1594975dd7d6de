package io.headgate.benchmarks.redis;

import io.github.bucket4j.distributed.proxy.optimization.Optimization;
import io.github.bucket4j.distributed.proxy.optimization.Optimizations;
import io.headgate.Limit;
import io.headgate.redis.RedisStore;
import io.headgate.redis.RedisStoreBuilder;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The limiters to compare. The period of most budgets is a day, so that a denied key gets no permit back during a run. */
enum Peer {
    NOTHING("`EVALSHA` of `return 1`") {
        @Override
        Checker checker(RedisClient client, String uri, int permits) {
            return new Nothing(client, permits > 1);
        }
    },
    /** The script that most people write. Its window begins with the first request, and denied requests count as well. */
    PLAIN_COUNT("plain script, `INCR` and `PEXPIRE`") {
        @Override
        Checker checker(RedisClient client, String uri, int permits) {
            return new PlainScript(client, "count", false, Integer.toString(permits), "86400000");
        }
    },
    PLAIN_FIXED_WINDOW("plain script, fixed window") {
        @Override
        Checker checker(RedisClient client, String uri, int permits) {
            return new PlainScript(client, "fixed-window", false, Integer.toString(permits), Long.toString(DAY));
        }
    },
    FIXED_WINDOW("**Headgate** `fixed-window`", PLAIN_FIXED_WINDOW),
    PLAIN_TOKEN_BUCKET("plain script, GCRA") {
        @Override
        Checker checker(RedisClient client, String uri, int permits) {
            String each = Long.toString(Math.max(1, DAY / permits));
            return new PlainScript(client, "token-bucket", false, each, Integer.toString(permits));
        }
    },
    TOKEN_BUCKET("**Headgate** `token-bucket`", PLAIN_TOKEN_BUCKET),
    TOKEN_BUCKET_AHEAD("**Headgate** `token-bucket`, permits taken ahead for 50 ms", PLAIN_TOKEN_BUCKET) {
        @Override
        RedisStoreBuilder store(RedisClient client) {
            return super.store(client).aheadFor(Duration.ofMillis(50));
        }

        @Override
        Limit limit(int permits) {
            return TOKEN_BUCKET.limit(permits);
        }
    },
    PLAIN_COUNTER("plain script, sliding counter") {
        @Override
        Checker checker(RedisClient client, String uri, int permits) {
            return new PlainScript(
                    client, "sliding-window-counter", false, Integer.toString(permits), Long.toString(DAY));
        }
    },
    SLIDING_WINDOW_COUNTER("**Headgate** `sliding-window-counter`", PLAIN_COUNTER),
    PLAIN_SLIDING_WINDOW("plain script, sliding window of ten parts") {
        @Override
        Checker checker(RedisClient client, String uri, int permits) {
            return new PlainScript(
                    client, "sliding-window", false, Integer.toString(permits), Long.toString(inParts(permits)));
        }
    },
    SLIDING_WINDOW("**Headgate** `sliding-window`", PLAIN_SLIDING_WINDOW) {
        @Override
        Limit limit(int permits) {
            return Limit.of(permits)
                    .per(Duration.of(inParts(permits), ChronoUnit.MICROS))
                    .using("sliding-window");
        }
    },
    PLAIN_LEAKY_BUCKET("plain script, leaky bucket") {
        @Override
        Checker checker(RedisClient client, String uri, int permits) {
            return new PlainScript(client, "leaky-bucket", false, Long.toString(DAY / permits));
        }
    },
    LEAKY_BUCKET("**Headgate** `leaky-bucket`", PLAIN_LEAKY_BUCKET),
    PLAIN_LOG("plain script, log, N = 100") {
        @Override
        Checker checker(RedisClient client, String uri, int permits) {
            return new PlainScript(
                    client, "sliding-window-log", true, Integer.toString(Math.min(permits, 100)), "2000000");
        }
    },
    SLIDING_WINDOW_LOG("**Headgate** `sliding-window-log`, N = 100", PLAIN_LOG) {
        @Override
        Limit limit(int permits) {
            return Limit.of(Math.min(permits, 100)).per(Duration.ofSeconds(2)).using("sliding-window-log");
        }
    },
    BUCKET4J("Bucket4j, Lettuce") {
        @Override
        Checker checker(RedisClient client, String uri, int permits) {
            return new Bucket4j(client, permits, Optimization.NONE_OPTIMIZED);
        }
    },
    BUCKET4J_BATCHING("Bucket4j, Lettuce, batching") {
        @Override
        Checker checker(RedisClient client, String uri, int permits) {
            return new Bucket4j(client, permits, Optimizations.batching());
        }
    },
    REDISSON("Redisson") {
        @Override
        Checker checker(RedisClient client, String uri, int permits) {
            return new Redisson(uri, permits);
        }
    };

    private static final long DAY = 86_400_000_000L;

    final String label;

    /** The prefix of its keys. */
    final String client = String.format("user-%08x:", name().hashCode());

    /** The plain script with the same algorithm; {@code null} for all but Headgate. */
    final @Nullable Peer plain;

    Peer(String label) {
        this(label, null);
    }

    Peer(String label, @Nullable Peer plain) {
        this.label = label;
        this.plain = plain;
    }

    /** The period: so short that all ten parts of a window are in use, as with regular clients; but a denied key must stay denied. */
    private static long inParts(int permits) {
        return permits == 1 ? DAY : 10_000_000L;
    }

    Checker checker(RedisClient client, String uri, int permits) {
        return new Ours(store(client), limit(permits));
    }

    RedisStoreBuilder store(RedisClient client) {
        return RedisStore.builder(client);
    }

    Limit limit(int permits) {
        String algorithm = name().toLowerCase(Locale.ROOT).replace('_', '-');
        return Limit.of(permits).per(Duration.ofDays(1)).using(algorithm);
    }

    /**
     * On one key, a log of 100 permits would be full at once, and its window is too short for a key to stay denied; a leaky bucket
     * grants one request and then none for a while. Permits are taken ahead only for a key with many requests.
     */
    boolean takesPartIn(Situation situation) {
        boolean log = this == PLAIN_LOG || this == SLIDING_WINDOW_LOG;
        boolean leaky = this == PLAIN_LEAKY_BUCKET || this == LEAKY_BUCKET;
        return switch (situation) {
            case DISTINCT -> this != TOKEN_BUCKET_AHEAD;
            case HOT -> !log && !leaky;
            case DENIED -> !log && this != TOKEN_BUCKET_AHEAD;
        };
    }
}
