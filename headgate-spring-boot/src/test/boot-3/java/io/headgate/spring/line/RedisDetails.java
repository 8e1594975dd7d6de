package io.headgate.spring.line;

import org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails;

/** Where Redis is, as Docker Compose and Testcontainers hand it to an application. */
public record RedisDetails(String host, int port) implements RedisConnectionDetails {

    @Override
    public Standalone getStandalone() {
        return Standalone.of(host, port);
    }
}
