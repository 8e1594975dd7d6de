package io.headgate.spring.boot.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** Says which of the three things is missing that counts in Redis need: our store, the client, and a connection. */
final class MissingRedis {

    private static final String OR_MEMORY = ", or set headgate.store=memory to count in each instance for itself.";

    private MissingRedis() {}

    static InvalidSettingException in(@Nullable ClassLoader classes) {
        if (!ClassUtils.isPresent("io.headgate.redis.RedisStore", classes)) {
            return missing("headgate-redis is not on the class path", "Add the dependency io.headgate:headgate-redis");
        }
        for (String client : new String[] {
            "org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory", "io.lettuce.core.RedisClient"
        }) {
            if (!ClassUtils.isPresent(client, classes)) {
                return missing(
                        (client.startsWith("io.lettuce") ? "Lettuce" : "Spring Data Redis")
                                + " is not on the class path",
                        "Add the dependency org.springframework.boot:spring-boot-starter-data-redis");
            }
        }
        return missing(
                "there is no connection to Redis, that is no RedisConnectionFactory bean",
                "Add the dependency org.springframework.boot:spring-boot-starter-data-redis, whose auto-configuration"
                        + " creates one from spring.data.redis.host and must not be excluded; or declare a"
                        + " LettuceConnectionFactory bean, or a Store bean such as RedisStore.connect(uri)");
    }

    private static InvalidSettingException missing(String problem, String remedy) {
        return new InvalidSettingException("headgate.store", "redis", problem, remedy + OR_MEMORY, null);
    }
}
