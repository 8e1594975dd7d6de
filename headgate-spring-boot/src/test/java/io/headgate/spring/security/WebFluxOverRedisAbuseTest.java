package io.headgate.spring.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.rig.RedisServer;
import io.headgate.spring.Running;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;

/** Attacks on WebFlux, with the counts in Redis: a key there lives until its budget is full again, so a ceiling is what bounds them. */
class WebFluxOverRedisAbuseTest extends AbuseSuite {

    private final RedisServer redis = RedisServer.start();

    @Override
    String name() {
        return "WebFlux, Redis";
    }

    @Override
    int flood() {
        return super.flood() / 10;
    }

    @Override
    Running start(String... properties) {
        return Running.reactive(
                WebFluxSecurityTest.Application.class,
                Stream.concat(
                                Stream.of(properties),
                                Stream.of(
                                        "headgate.store=redis",
                                        "spring.data.redis.host=" + redis.host(),
                                        "spring.data.redis.port=" + redis.port(),
                                        "headgate.guard.deadline=20s",
                                        "headgate.redis.timeout=20s"))
                        .toArray(String[]::new));
    }

    @Override
    long keys() {
        return (Long) redis.command("DBSIZE");
    }

    /** One for each that was sent, and all of them expire, though not while a limit is an hour. */
    @Override
    void keysAreBounded(long before) {
        assertThat(keys()).isEqualTo(before + flood());
        assertThat(redis.info("keyspace", "db0")).startsWith("keys=" + keys() + ",expires=" + keys() + ",");
    }

    @AfterAll
    void stopRedis() {
        redis.close();
    }
}
