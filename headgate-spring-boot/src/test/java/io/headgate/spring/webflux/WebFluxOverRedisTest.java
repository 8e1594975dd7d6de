package io.headgate.spring.webflux;

import io.headgate.rig.RedisServer;
import org.junit.jupiter.api.AfterAll;

/** The same with the counts in Redis. */
class WebFluxOverRedisTest extends WebFluxTest {

    private final RedisServer redis = RedisServer.start();

    @Override
    protected String[] store() {
        return in(redis);
    }

    @AfterAll
    void stopRedis() {
        redis.close();
    }
}
