package io.headgate.spring.cloud.gateway;

import io.headgate.rig.RedisServer;
import io.headgate.spring.cloud.gateway.Gateway.Kind;
import java.util.List;
import org.junit.jupiter.api.AfterAll;

/** The same with the counts in Redis. */
class MvcGatewayOverRedisTest extends GatewayContract {

    private final RedisServer redis = RedisServer.start();

    MvcGatewayOverRedisTest() {
        super(Kind.MVC);
    }

    @Override
    List<String> store() {
        return Gateway.over(redis);
    }

    @AfterAll
    void stopRedis() {
        redis.close();
    }
}
