package io.headgate.spring.line;

import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;

/** Where Redis is, as Docker Compose and Testcontainers hand it to an application. */
public record RedisDetails(String host, int port) implements DataRedisConnectionDetails {

    @Override
    public Standalone getStandalone() {
        return Standalone.of(host, port);
    }
}
