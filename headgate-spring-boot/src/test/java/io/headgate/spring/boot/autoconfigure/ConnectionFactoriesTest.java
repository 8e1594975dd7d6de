package io.headgate.spring.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import io.headgate.FailurePolicy;
import io.headgate.Headgate;
import io.headgate.Plan;
import io.headgate.Store;
import io.headgate.TimeSource;
import io.headgate.memory.MemoryStore;
import io.headgate.redis.RedisStore;
import io.headgate.rig.RedisServer;
import io.headgate.spring.line.Line;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Which connection of an application the counts follow to Redis, if it declares them itself. */
@ExtendWith(OutputCaptureExtension.class)
class ConnectionFactoriesTest {

    private static RedisServer redis;

    @BeforeAll
    static void start() {
        redis = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    Line.DATA_REDIS,
                    Line.METRICS,
                    HeadgateRedisAutoConfiguration.class,
                    HeadgateAutoConfiguration.class,
                    HeadgateMetricsAutoConfiguration.class))
            .withBean(MeterRegistry.class, SimpleMeterRegistry::new);

    @Test
    void followsOneThatIsDeclaredByItsInterface() {
        application.withUserConfiguration(ByItsInterface.class).run(ConnectionFactoriesTest::countsInRedis);
    }

    @Test
    void followsOneThatIsToStartLate() {
        application.withUserConfiguration(Late.class).run(ConnectionFactoriesTest::countsInRedis);
    }

    /** Its threads are its own and end with it, as when a context is paused or about to be closed. */
    @Test
    void countsOnWhenItIsStopped() {
        application.withUserConfiguration(ByItsInterface.class).run(context -> {
            context.getBean(LettuceConnectionFactory.class).stop();
            countsInRedis(context);
        });
    }

    @Test
    void saysThatCountsStayInMemoryIfItIsNoLettuce(CapturedOutput output) {
        application.withUserConfiguration(Another.class).run(context -> {
            assertThat(context).getBean(Store.class).isInstanceOf(MemoryStore.class);
            assertThat(context.getBean(MeterRegistry.class).get("headgate.keys").gauge())
                    .isNotNull();
            assertThat(output)
                    .containsOnlyOnce("counts are kept in memory")
                    .contains(
                            context.getBean(RedisConnectionFactory.class)
                                    .getClass()
                                    .getName(),
                            "or set headgate.store=memory");
        });
    }

    @Test
    void saysNothingIfMemoryIsAskedFor(CapturedOutput output) {
        application
                .withUserConfiguration(Another.class)
                .withPropertyValues("headgate.store=memory")
                .run(context -> assertThat(context).getBean(Store.class).isInstanceOf(MemoryStore.class));
        assertThat(output).doesNotContain("counts are kept in memory");
    }

    @Test
    void stopsIfItIsNoLettuceAndRedisIsAskedFor() {
        Started.assertStops(
                application.withUserConfiguration(Another.class).withPropertyValues("headgate.store=redis"),
                "headgate.store = redis",
                "only a LettuceConnectionFactory",
                "RedisStore.connect(uri)");
    }

    @Test
    void followsThePrimaryOfSeveral() {
        application.withUserConfiguration(Another.class, ThePrimary.class).run(ConnectionFactoriesTest::countsInRedis);
    }

    @Test
    void stopsIfNoneOfSeveralCounts() {
        Started.assertStops(
                application.withUserConfiguration(Late.class, ByItsInterface.class),
                "several connections to Redis",
                "[connections, byItsInterface]",
                "@Primary");
    }

    @Test
    void followsTheOnlyOneOfLettuceAmongSeveral() {
        application
                .withUserConfiguration(Another.class, ByItsInterface.class)
                .run(ConnectionFactoriesTest::countsInRedis);
    }

    @Test
    void needsNoneForAStoreOfTheApplication() {
        MemoryStore store = new MemoryStore(Headgate.algorithms(), TimeSource.system(), 10);
        application
                .withUserConfiguration(Another.class, ByItsInterface.class)
                .withBean(Store.class, () -> store)
                .run(context -> assertThat(context).getBean(Store.class).isSameAs(store));
    }

    private static void countsInRedis(AssertableApplicationContext context) {
        assertThat(context).getBean(Store.class).isInstanceOf(RedisStore.class);
        redis.command("FLUSHALL");
        context.getBean(Headgate.class)
                .limiter("test", Plan.parse("1/h"), FailurePolicy.CLOSED)
                .tryAcquire("ann");
        assertThat(redis.command("DBSIZE")).isEqualTo(1L);
    }

    private static LettuceConnectionFactory lettuce() {
        return new LettuceConnectionFactory(redis.host(), redis.port());
    }

    @Configuration(proxyBeanMethods = false)
    static class Late {

        @Bean
        RedisConnectionFactory connections() {
            LettuceConnectionFactory connections = new LettuceConnectionFactory(redis.host(), redis.port());
            connections.setEarlyStartup(false);
            return connections;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ByItsInterface {

        @Bean
        RedisConnectionFactory byItsInterface() {
            return lettuce();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ThePrimary {

        @Bean
        @Primary
        RedisConnectionFactory thePrimary() {
            return lettuce();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Another {

        @Bean
        RedisConnectionFactory another() {
            return mock(RedisConnectionFactory.class);
        }
    }
}
