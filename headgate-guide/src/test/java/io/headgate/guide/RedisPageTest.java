package io.headgate.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.FailurePolicy;
import io.headgate.Headgate;
import io.headgate.Plan;
import io.headgate.RateLimiter;
import io.headgate.guard.GuardSettings;
import io.headgate.redis.RedisStore;
import io.headgate.rig.RedisServer;
import io.lettuce.core.RedisURI;
import org.junit.jupiter.api.Test;

/** The snippets about Redis. Those that want it on the port that everybody uses are compiled only. */
class RedisPageTest {

    static void connects() {
        // snippet
        try (RedisStore store = RedisStore.connect("redis://localhost")) {
            RateLimiter limiter = Headgate.builder().store(store).build().limiter("login", Plan.parse("5/min", "20/h"));
            System.out.println(limiter.tryAcquire("alice"));
        }
        // end
    }

    static void guards() {
        // snippet
        RedisStore redis = RedisStore.builder(RedisURI.create("redis://localhost"))
                .startDegraded()
                .build();
        Headgate headgate = Headgate.builder()
                .store(redis)
                .guard(GuardSettings.DEFAULT.instances(4)) // how many processes share this Redis
                .build();

        RateLimiter api = headgate.limiter("api", Plan.parse("100/min")); // local
        RateLimiter login = headgate.limiter("login", Plan.parse("5/min"), FailurePolicy.CLOSED);
        // end
        assertThat(api.tryAcquire("alice").allowed()).isTrue();
        assertThat(login.tryAcquire("alice").degraded()).isTrue();
        redis.close();
    }

    /** The same lines where there is a Redis. */
    @Test
    void worksOnARealOne() {
        try (RedisServer server = RedisServer.start();
                RedisStore store = RedisStore.connect(server.uri())) {
            RateLimiter limiter = Headgate.builder().store(store).build().limiter("login", Plan.parse("5/min", "20/h"));
            assertThat(limiter.tryAcquire("alice").remaining()).isEqualTo(4);
        }
    }
}
