package io.headgate.spring.servlet;

import io.headgate.rig.RedisServer;
import org.junit.jupiter.api.AfterAll;

/** The same with the counts in Redis. */
class MvcOverRedisTest extends MvcTest {

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
