package io.headgate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two stores that take permits of one key ahead, on a real Redis. */
class PrefetchingIT extends SharedRedis {

    private static final int THREADS = 16;
    private static final Key KEY = new Key("a", "hot");

    private final List<RedisStore> stores = List.of(store(), store());

    private static RedisStore store() {
        return patient(redis.uri()).aheadFor(Duration.ofMillis(100)).build();
    }

    @AfterEach
    void closeStores() {
        stores.forEach(RedisStore::close);
    }

    /** What one has taken ahead and does not use comes back, so that in the end all is granted, and not one more. */
    @ParameterizedTest
    @ValueSource(strings = {"fixed-window", "token-bucket", "sliding-window-log", "sliding-window-counter"})
    void grantTogetherWhatThereIs(String algorithm) throws Exception {
        int permits = 5_000;
        Plan plan = Plan.of(Limit.of(permits).per(Duration.ofDays(300)).using(algorithm));
        AtomicInteger granted = new AtomicInteger();
        long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        try (Load load = Load.until(THREADS, () -> granted.get() >= permits || System.nanoTime() > end, number -> {
            Decision decision = stores.get(number % 2).bind(KEY.scope(), plan).apply(KEY.subject(), Operation.ONE);
            granted.addAndGet(decision.allowed() ? 1 : 0);
            return decision;
        })) {
            load.finish();
            assertThat(granted).hasValue(permits);
            assertThat(load.failures()).isEmpty();
        }
        for (RedisStore each : stores) {
            assertThat(each.bind(KEY.scope(), plan)
                            .apply(KEY.subject(), Operation.ONE)
                            .allowed())
                    .isFalse();
        }
    }

    @Test
    void hardlyAnyCallsOnABusyKey() throws Exception {
        Plan plan = Plan.parse("1000000000/min");
        try (Load load = Load.of(
                THREADS, 4_000, number -> stores.get(0).bind(KEY.scope(), plan).apply(KEY.subject(), Operation.ONE))) {
            load.finish();
            assertThat(load.granted()).isEqualTo(THREADS * 4_000);
            assertThat((double) redis.calls("evalsha") / load.asked()).isLessThanOrEqualTo(0.05);
        }
    }
}
