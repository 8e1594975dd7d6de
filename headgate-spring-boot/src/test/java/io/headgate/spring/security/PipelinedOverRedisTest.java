package io.headgate.spring.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.rig.RedisServer;
import io.headgate.spring.RateLimit;
import io.headgate.spring.RuleLines;
import io.headgate.spring.Running;
import io.headgate.spring.Wire;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/**
 * Requests that are sent without waiting for answers. Reactor Netty 1.3.7 forgets a connection on which some answers come within the
 * hand-over of a request and others after it, and over Redis a verdict can come either way.
 */
class PipelinedOverRedisTest {

    /** So many connections, of which Reactor Netty soon forgets one if answers are mixed. */
    private static final int CONNECTIONS = Boolean.getBoolean("headgate.proof") ? 60 : 20;

    private static final int TIMES = 30;
    private static final int AT_ONCE = 4;

    @Test
    void answersThemAll() {
        answersAll(BasePathTest.Rooted.class, new RuleLines().rule("all", "/**", "limits=1000000/h"));
    }

    /** The limit is checked when somebody subscribes to what the handler has returned, and what it says is told on the event loop. */
    @Test
    void answersThemAllWhoseHandlersAreLimited() {
        assertThat(answersAll(Keyed.class, new RuleLines())).allMatch(thread -> thread.startsWith("reactor-http"));
    }

    /** What the answers say. */
    private static Set<String> answersAll(Class<?> application, RuleLines rules) {
        try (RedisServer redis = RedisServer.start();
                Running running = Running.reactive(
                        application,
                        rules.and(
                                "headgate.store=redis",
                                "spring.data.redis.host=" + redis.host(),
                                "spring.data.redis.port=" + redis.port(),
                                "headgate.guard.deadline=20s",
                                "headgate.redis.timeout=20s",
                                Running.WITHOUT_SPRING_SECURITY))) {
            Set<String> said = new HashSet<>();
            String requests = "GET / HTTP/1.1\r\nHost: target\r\n\r\n".repeat(AT_ONCE);
            for (int i = 0; i < CONNECTIONS; i++) {
                try (Wire wire = Wire.from("127.0.0.1", running.port())) {
                    for (int j = 0; j < TIMES; j++) {
                        wire.write(requests);
                        for (int k = 0; k < AT_ONCE; k++) {
                            Wire.Answer answer = wire.read();
                            assertThat(answer.status()).isEqualTo(200);
                            said.add(answer.body());
                        }
                    }
                }
            }
            return said;
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Keyed.Api.class)
    static class Keyed {

        @RestController
        static class Api {

            @RateLimit(value = "1000000/h", key = "'all'")
            @GetMapping("/")
            Mono<String> root() {
                return Mono.fromSupplier(() -> Thread.currentThread().getName());
            }
        }
    }
}
