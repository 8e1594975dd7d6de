package io.headgate.spring.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.Decision;
import io.headgate.FailurePolicy;
import io.headgate.Headgate;
import io.headgate.Plan;
import io.headgate.RateLimiter;
import io.headgate.Store;
import io.headgate.redis.RedisStore;
import io.headgate.rig.RedisCluster;
import io.headgate.rig.RedisSentinels;
import io.headgate.rig.RedisServer;
import io.headgate.spring.line.Line;
import io.headgate.spring.line.RedisDetails;
import io.lettuce.core.RedisURI;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Everything that can be said under {@code spring.data.redis} leads our own connection to the same place: real servers. */
@ExtendWith(OutputCaptureExtension.class)
class ConnectionDetailsIT {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    SslAutoConfiguration.class,
                    Line.DATA_REDIS,
                    HeadgateRedisAutoConfiguration.class,
                    HeadgateAutoConfiguration.class))
            .withPropertyValues("headgate.instances=1", "headgate.guard.deadline=10s", "headgate.redis.timeout=10s");

    /** Known bug R1. One node that forgets is enough for a warning. */
    @Test
    void reachesEveryNodeOfACluster(CapturedOutput output) {
        try (RedisCluster cluster = RedisCluster.start()) {
            cluster.masters().get(1).command("CONFIG", "SET", "maxmemory-policy", "volatile-ttl");
            String nodes =
                    cluster.nodes().stream().map(ConnectionDetailsIT::address).collect(Collectors.joining(","));
            application
                    .withPropertyValues("spring.data.redis.cluster.nodes=" + nodes)
                    .run(context -> {
                        limitsOverRedis(context);
                        await().untilAsserted(() -> assertThat(output).contains("(maxmemory-policy volatile-ttl)"));
                        RateLimiter limiter = limiter(context);
                        IntStream.range(0, 30).forEach(i -> limiter.tryAcquire("user " + i));
                        assertThat(cluster.masters())
                                .allSatisfy(master -> assertThat((Long) master.command("DBSIZE"))
                                        .isPositive());
                    });
        }
    }

    @Test
    void reachesTheMasterThatSentinelsName() {
        try (RedisSentinels sentinels = RedisSentinels.start()) {
            String nodes = RedisURI.create(sentinels.uri()).getSentinels().stream()
                    .map(each -> each.getHost() + ":" + each.getPort())
                    .collect(Collectors.joining(","));
            application
                    .withPropertyValues(
                            "spring.data.redis.sentinel.master=" + RedisSentinels.MASTER,
                            "spring.data.redis.sentinel.nodes=" + nodes)
                    .run(context -> {
                        limitsOverRedis(context);
                        assertThat((Long) sentinels.master().command("DBSIZE")).isEqualTo(1);
                    });
        }
    }

    @Test
    void speaksTlsWithABundleOfTheApplication() {
        try (RedisServer redis = RedisServer.with().tls().start()) {
            ApplicationContextRunner over = application.withPropertyValues(
                    "spring.data.redis.host=localhost", "spring.data.redis.port=" + (redis.port() + 1));
            over.withPropertyValues(
                            "spring.data.redis.ssl.bundle=rig",
                            "spring.ssl.bundle.pem.rig.truststore.certificate=file:" + redis.certificate())
                    .run(ConnectionDetailsIT::limitsOverRedis);
            assertThat((Long) redis.command("DBSIZE")).isEqualTo(1);
        }
    }

    @Test
    void logsInAsTheUserToTheDatabase() {
        try (RedisServer redis = RedisServer.with()
                .user("limits", "secret", "~rl:* ~{rl:* +@all")
                .database(3)
                .start()) {
            application
                    .withPropertyValues(
                            "spring.data.redis.host=" + redis.host(),
                            "spring.data.redis.port=" + redis.port(),
                            "spring.data.redis.username=limits",
                            "spring.data.redis.password=secret",
                            "spring.data.redis.database=3",
                            "spring.data.redis.client-name=shop")
                    .run(context -> {
                        limitsOverRedis(context);
                        assertThat((Long) redis.command("DBSIZE")).isEqualTo(1);
                        assertThat((String) redis.command("CLIENT", "LIST"))
                                .containsPattern("name=shop .* cmd=evalsha.* user=limits");
                    });
            application
                    .withPropertyValues("spring.data.redis.url=redis://limits:secret@" + address(redis) + "/3")
                    .run(context -> {
                        assertThat(limiter(context).peek("ann").remaining()).isEqualTo(99);
                    });
        }
    }

    /** As Docker Compose and Testcontainers hand them to an application. */
    @Test
    void takesConnectionDetailsThatAreABean() {
        try (RedisServer redis = RedisServer.start()) {
            application
                    .withBean(RedisDetails.class, () -> new RedisDetails(redis.host(), redis.port()))
                    .withPropertyValues("spring.data.redis.port=1")
                    .run(ConnectionDetailsIT::limitsOverRedis);
        }
    }

    @Test
    void startsWithoutTheClusterAndLimitsByItself() {
        application
                .withPropertyValues(
                        "spring.data.redis.cluster.nodes=127.0.0.1:1", "spring.data.redis.connect-timeout=1s")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    Decision decision = limiter(context).tryAcquire("ann");
                    assertThat(decision.degraded()).isTrue();
                    assertThat(decision.allowed()).isTrue();
                });
    }

    private static void limitsOverRedis(AssertableApplicationContext context) {
        assertThat(context).getBean(Store.class).isInstanceOf(RedisStore.class);
        assertThat(context.getBean(Headgate.class).guard()).isPresent();
        List<Decision> decisions = List.of(
                limiter(context).tryAcquire("ann"),
                limiter(context).tryAcquireAsync("ann").join());
        assertThat(decisions).noneMatch(Decision::degraded);
        assertThat(decisions).extracting(Decision::remaining).containsExactly(99L, 98L);
        limiter(context).refund((Decision.Allowed) decisions.get(1));
    }

    private static RateLimiter limiter(AssertableApplicationContext context) {
        return context.getBean(Headgate.class).limiter("test", Plan.parse("100 per 366d"), FailurePolicy.LOCAL);
    }

    private static String address(RedisServer server) {
        return server.host() + ":" + server.port();
    }
}
