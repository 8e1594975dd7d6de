package io.headgate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Headgate;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.RateLimiter;
import org.junit.jupiter.api.Test;

/** How many calls a check costs: one on its own, a fifth at most on a busy key, hardly any on a denied one. */
class CallsIT extends SharedRedis {

    private static final int THREADS = 32;
    private static final int EACH = 500;

    private static long calls() {
        return redis.calls("evalsha") + redis.calls("eval");
    }

    /** Known bug A2: there is nothing between two commands, since there is one. */
    @Test
    void oneForACheckOnItsOwn() {
        Plan plan = Plan.parse("100/min", "1000/h");
        store.bind("a", plan).apply("first", Operation.ONE);
        redis.command("CONFIG", "RESETSTAT");
        for (int i = 0; i < 100; i++) {
            store.bind("a", plan).apply("k" + i, Operation.ONE);
        }
        assertThat(calls()).isEqualTo(100);
    }

    @Test
    void aFifthAtMostOnABusyKey() throws Exception {
        Plan plan = Plan.parse("1000000/min");
        try (Load load = Load.of(THREADS, EACH, number -> store.bind("a", plan).apply("hot", Operation.ONE))) {
            load.finish();
            assertThat(load.granted()).isEqualTo(THREADS * EACH);
            assertThat((double) calls() / load.asked()).isLessThanOrEqualTo(0.2);
        }
    }

    @Test
    void hardlyAnyOnADeniedKey() throws Exception {
        RateLimiter limiter =
                Headgate.builder().store(store).unguarded().build().limiter("a", Plan.parse("10/h"));
        try (Load load = Load.of(THREADS, EACH, number -> limiter.tryAcquire("denied"))) {
            load.finish();
            assertThat(load.granted()).isEqualTo(10);
            assertThat((double) calls() / load.asked()).isLessThanOrEqualTo(0.01);
        }
    }
}
