package io.headgate.spring.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.rig.RedisServer;
import io.headgate.spring.RuleLines;
import io.headgate.spring.Running;
import io.headgate.spring.Wire;
import org.junit.jupiter.api.Test;

/**
 * Requests that are sent without waiting for answers. Reactor Netty 1.3.7 forgets a connection on which some answers come within the
 * hand-over of a request and others after it, and over Redis a verdict can come either way.
 */
class PipelinedOverRedisTest {

    private static final int CONNECTIONS = 60;
    private static final int TIMES = 30;
    private static final int AT_ONCE = 4;

    @Test
    void answersThemAll() {
        try (RedisServer redis = RedisServer.start();
                Running running = Running.reactive(
                        BasePathTest.Rooted.class,
                        new RuleLines()
                                .rule("all", "/**", "limits=1000000/h")
                                .and(
                                        "headgate.store=redis",
                                        "spring.data.redis.host=" + redis.host(),
                                        "spring.data.redis.port=" + redis.port(),
                                        "headgate.guard.deadline=20s",
                                        "headgate.redis.timeout=20s",
                                        SecuritySuite.WITHOUT_SPRING_SECURITY))) {
            String requests = "GET / HTTP/1.1\r\nHost: target\r\n\r\n".repeat(AT_ONCE);
            for (int i = 0; i < CONNECTIONS; i++) {
                try (Wire wire = Wire.from("127.0.0.1", running.port())) {
                    for (int j = 0; j < TIMES; j++) {
                        wire.write(requests);
                        for (int k = 0; k < AT_ONCE; k++) {
                            assertThat(wire.read().status()).isEqualTo(200);
                        }
                    }
                }
            }
        }
    }
}
