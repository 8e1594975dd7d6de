package io.headgate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Redis forgets scripts, or everything, while it is asked. Known bugs R5, R2, C3. */
class ForgetfulRedisIT extends SharedRedis {

    private static final Key KEY = new Key("login", "alice");
    private static final int THREADS = 16;

    private static int each() {
        return Boolean.getBoolean("headgate.proof") ? 5_000 : 300;
    }

    @Test
    void losesAndRepeatsNothingWhenScriptsAreFlushed() throws Exception {
        Plan plan = Plan.parse(THREADS * each() / 2 + " per 366d");
        try (Load load =
                Load.of(THREADS, each(), number -> store.bind(KEY.scope(), plan).apply(KEY.subject(), Operation.ONE))) {
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
        RedisStore plain = patient(redis.uri()).denialsFor(Duration.ZERO).build();
        try (plain;
                Load load = Load.of(
                        THREADS, each(), number -> plain.bind(KEY.scope(), plan).apply(KEY.subject(), Operation.ONE))) {
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
                assertThat(plain.bind(KEY.scope(), plan)
                                .apply(KEY.subject(), Operation.ONE)
                                .allowed())
                        .isTrue();
            }
            assertThat(plain.bind(KEY.scope(), plan)
                            .apply(KEY.subject(), Operation.ONE)
                            .allowed())
                    .isFalse();
        }
    }

    /**
     * Keys are deleted and made eternal at random. To lose a key is to start its budget afresh and no more, to lose a TTL changes
     * nothing: so every key grants at least its limit, and at most that once more for each time it was deleted.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {"token-bucket", "fixed-window", "sliding-window-log", "sliding-window-counter", "sliding-window"
            })
    void countsOnWhateverIsDoneToTheKeys(String algorithm) throws Exception {
        int keys = 5;
        int permits = each() / 4;
        Plan plan = Plan.of(
                Limit.of(permits).per(Duration.ofDays(366)).using(algorithm),
                Limit.of(2L * permits).per(Duration.ofDays(300)));
        long seed = Seeds.next();
        Random random = new Random(seed);
        AtomicIntegerArray granted = new AtomicIntegerArray(keys);
        int[] deleted = new int[keys];
        RedisStore plain =
                patient(redis.uri()).readableKeys().denialsFor(Duration.ZERO).build();
        try (plain;
                Load load = Load.of(8, each(), number -> {
                    int place = number % keys;
                    Decision decision = plain.bind("s", plan).apply("k" + place, Operation.ONE);
                    granted.addAndGet(place, decision.allowed() ? 1 : 0);
                    return decision;
                })) {
            while (load.asked() < 8L * each()) {
                int place = random.nextInt(keys);
                String first = "rl:s:k" + place;
                String second = "{" + first + "}:token-bucket:" + (algorithm.equals("token-bucket") ? 1 : 0);
                String name = random.nextBoolean() ? first : second;
                if (place < 2 && random.nextInt(8) == 0) { // the others only lose their TTL
                    deleted[place] += Long.valueOf(1).equals(redis.command("DEL", name)) ? 1 : 0;
                } else {
                    redis.command("PERSIST", name);
                }
            }
            load.finish();
            assertThat(load.failed()).as("-Dheadgate.seed=" + seed + " " + load).isZero();
            for (int place = 0; place < keys; place++) {
                assertThat(granted.get(place))
                        .as("k%d, deleted %d times, -Dheadgate.seed=%d", place, deleted[place], seed)
                        .isBetween(permits, permits * (1 + deleted[place]));
                plain.bind("s", plan).apply("k" + place, Operation.PEEK);
            }
        }
        assertEveryKeyHasATtl();
    }

    private static void assertEveryKeyHasATtl() {
        List<?> names = (List<?>) redis.command("KEYS", "*");
        assertThat(names).isNotEmpty();
        for (Object name : names) {
            assertThat((Long) redis.command("PTTL", name.toString()))
                    .as("PTTL of %s", name)
                    .isPositive();
        }
    }
}
