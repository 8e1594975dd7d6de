package io.headgate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Key;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.rig.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Redis forgets scripts, or everything, while it is asked. CATALOGUE R5, R2, C3. */
class ForgetfulRedisIT {

    private static final Key KEY = new Key("login", "alice");
    private static final int THREADS = 16;

    private static RedisServer redis;
    private static RedisStore store;

    @BeforeAll
    static void start() {
        redis = RedisServer.start();
        store = RedisStore.builder(RedisURI.create(redis.uri()))
                .timeout(Duration.ofSeconds(20))
                .build();
    }

    @AfterAll
    static void close() {
        store.close();
        redis.close();
    }

    @BeforeEach
    void empty() {
        redis.command("FLUSHALL");
    }

    private static int each() {
        return Boolean.getBoolean("headgate.proof") ? 5_000 : 300;
    }

    @Test
    void losesAndRepeatsNothingWhenScriptsAreFlushed() throws Exception {
        Plan plan = Plan.parse(THREADS * each() / 2 + " per 366d");
        redis.command("CONFIG", "RESETSTAT");
        try (Load load = Load.of(THREADS, each(), number -> store.apply(KEY, plan, Operation.ONE))) {
            int flushes = 0;
            while (load.asked() < (long) THREADS * each()) {
                redis.command("SCRIPT", "FLUSH");
                flushes++;
            }
            load.finish();
            assertThat(load.failed()).as(load.toString()).isZero();
            assertThat(load.granted()).isEqualTo(THREADS * each() / 2);
            assertThat(flushes).isGreaterThan(3);
            assertThat(redis.calls("eval")).as("scripts sent in full").isPositive();
        }
    }

    /** Every flush is a fresh budget, no more: nothing fails, and nobody is locked out or let through for good. */
    @Test
    void startsAfreshWhenEverythingIsFlushed() throws Exception {
        Plan plan = Plan.parse("100 per 366d", "1000 per 300d");
        RedisStore plain = RedisStore.builder(RedisURI.create(redis.uri()))
                .timeout(Duration.ofSeconds(20))
                .denialsFor(Duration.ZERO)
                .build();
        try (plain;
                Load load = Load.of(THREADS, each(), number -> plain.apply(KEY, plan, Operation.ONE))) {
            int flushes = 0;
            while (load.asked() < (long) THREADS * each()) {
                redis.command("FLUSHALL");
                flushes++;
                Thread.onSpinWait();
            }
            load.finish();
            redis.command("FLUSHALL");
            assertThat(load.failed()).as(load.toString()).isZero();
            assertThat(load.granted()).isBetween(100L, 100L * (flushes + 1));
            for (int i = 0; i < 100; i++) {
                assertThat(plain.apply(KEY, plan, Operation.ONE).allowed()).isTrue();
            }
            assertThat(plain.apply(KEY, plan, Operation.ONE).allowed()).isFalse();
        }
    }

    /** Keys are deleted and made eternal at random: nothing fails, and whatever is there afterwards has a TTL again. */
    @Test
    void surviveWhateverIsDoneToTheKeys() throws Exception {
        long seed = Seeds.next();
        Random random = new Random(seed);
        List<Plan> plans = List.of(
                Plan.parse("5/s", "100/min"),
                Plan.parse("7/s burst 9"),
                plan("fixed-window"),
                plan("sliding-window-log"),
                plan("sliding-window-counter"),
                plan("sliding-window"),
                plan("leaky-bucket"));
        try (Load load = Load.of(8, each(), number -> {
            int key = number % 21;
            return store.apply(new Key("s" + key % 7, "k" + key), plans.get(key % 7), Operation.ONE);
        })) {
            while (load.asked() < 8L * each()) {
                Object name = redis.command("RANDOMKEY");
                if (name != null) {
                    redis.command(random.nextInt(3) == 0 ? "DEL" : "PERSIST", name.toString());
                }
            }
            load.finish();
            assertThat(load.failed()).as("-Dheadgate.seed=" + seed + " " + load).isZero();
        }
        for (int key = 0; key < 21; key++) {
            store.apply(new Key("s" + key % 7, "k" + key), plans.get(key % 7), Operation.PEEK);
        }
        if (redis.command("KEYS", "*") instanceof List<?> names) {
            for (Object name : names) {
                assertThat((Long) redis.command("PTTL", name.toString()))
                        .as("PTTL of %s", name)
                        .isNotEqualTo(-1L);
            }
        }
    }

    private static Plan plan(String algorithm) {
        return Plan.of(io.headgate.Limit.parse("6/s").using(algorithm));
    }
}
