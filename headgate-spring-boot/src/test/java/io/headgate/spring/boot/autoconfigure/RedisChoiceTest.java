package io.headgate.spring.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.Decision;
import io.headgate.FailurePolicy;
import io.headgate.Headgate;
import io.headgate.Plan;
import io.headgate.RateLimiter;
import io.headgate.Store;
import io.headgate.TimeSource;
import io.headgate.engine.LedgerLimiter;
import io.headgate.http.LedgerFactory;
import io.headgate.memory.MemoryStore;
import io.headgate.redis.RedisStore;
import io.headgate.rig.FaultProxy;
import io.headgate.rig.RedisServer;
import io.headgate.spring.line.Line;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Which store an application gets, with a real Redis. */
@ExtendWith(OutputCaptureExtension.class)
class RedisChoiceTest {

    private static RedisServer redis;

    @BeforeAll
    static void start() {
        redis = RedisServer.with().password("secret").start();
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    Line.DATA_REDIS, HeadgateRedisAutoConfiguration.class, HeadgateAutoConfiguration.class))
            .withPropertyValues(
                    "spring.data.redis.host=" + redis.host(),
                    "spring.data.redis.port=" + redis.port(),
                    "spring.data.redis.password=secret");

    /** As of a placeholder that nobody has filled in: {@code headgate.store: ${STORE:}}. */
    @Test
    void takesNothingForNoChoice() {
        application
                .withPropertyValues("headgate.store=")
                .run(context -> assertThat(context).getBean(Store.class).isInstanceOf(RedisStore.class));
        application
                .withPropertyValues("headgate.store=redsi")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContainingAll("redsi", "did you mean store: redis?"));
    }

    /** Redis is there, and will never have that database: no outage that ends. */
    @Test
    void stopsAtADatabaseThatIsNotThere() {
        application
                .withPropertyValues("spring.data.redis.database=99")
                .run(context ->
                        assertThat(context).getFailure().rootCause().hasMessageContaining("DB index is out of range"));
    }

    @Test
    void sharesCountsThroughTheRedisOfTheApplication(CapturedOutput output) {
        application.run(one -> application.run(other -> {
            assertThat(one).getBean(Store.class).isInstanceOf(RedisStore.class);
            assertThat(limiter(one.getBean(LedgerFactory.class))
                            .tryAcquire("ann")
                            .allowed())
                    .isTrue();
            assertThat(limiter(other.getBean(LedgerFactory.class))
                            .tryAcquire("ann")
                            .allowed())
                    .isFalse();
        }));
        assertThat(output).doesNotContain("maxmemory-policy");
    }

    @Test
    void keepsCountsInMemoryWhenTold() {
        application
                .withPropertyValues("headgate.store=memory")
                .run(context -> assertThat(context).getBean(Store.class).isInstanceOf(MemoryStore.class));
    }

    @Test
    void keepsCountsInMemoryWithoutOurModule() {
        application
                .withClassLoader(new FilteredClassLoader(RedisStore.class))
                .run(context -> assertThat(context).getBean(Store.class).isInstanceOf(MemoryStore.class));
    }

    @Test
    void stopsWhenRedisIsAskedForAndNotThere() {
        application
                .withPropertyValues("headgate.store=redis")
                .withClassLoader(new FilteredClassLoader(RedisStore.class))
                .run(context -> assertThat(context.getStartupFailure())
                        .hasMessage("headgate.store = redis: headgate-redis is not on the class path"));
    }

    @Test
    void startsDegradedWithoutRedis(CapturedOutput output) {
        application.withPropertyValues("spring.data.redis.port=1").run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(output).contains("until Redis can be reached, every rule follows its on-store-failure");
            RateLimiter limiter = limiter(context.getBean(LedgerFactory.class));
            Decision first = limiter.tryAcquire("ann");
            assertThat(first.allowed()).isTrue();
            assertThat(first.degraded()).isTrue();
            assertThat(limiter.tryAcquireAsync("ann").join().allowed()).isFalse();
        });
    }

    /** The patience is ours: that of the application's own connection is a minute. */
    @Test
    void startsDegradedInTimeThoughRedisNeverAnswers(CapturedOutput output) {
        try (FaultProxy network = FaultProxy.to(redis)) {
            network.blackHole();
            long begin = System.nanoTime();
            application
                    .withPropertyValues("spring.data.redis.port=" + network.port())
                    .run(context -> {
                        assertThat(context).hasNotFailed();
                        if (Boolean.getBoolean("headgate.proof")) {
                            assertThat(Duration.ofNanos(System.nanoTime() - begin))
                                    .isLessThan(Duration.ofSeconds(20));
                        }
                        assertThat(output)
                                .contains("until Redis can be reached, every rule follows its on-store-failure");
                    });
        }
    }

    @Test
    void stopsOnWrongCredentials() {
        application.withPropertyValues("spring.data.redis.password=guess").run(context -> {
            assertThat(context).hasFailed();
            assertThat(new InvalidSettingFailureAnalyzer()
                            .analyze(context.getStartupFailure())
                            .getDescription())
                    .contains("spring.data.redis.username and password", "does not accept")
                    .doesNotContain("guess");
        });
    }

    /** Redis would never grant anything: no outage that ends. */
    @Test
    void stopsOnAUserWhoMayNotRunScripts() {
        redis.command("ACL", "SETUSER", "reader", "on", ">pass", "~*", "+@all", "-@scripting");
        Started.assertStops(
                application.withPropertyValues("spring.data.redis.username=reader", "spring.data.redis.password=pass"),
                "spring.data.redis.username and password",
                "does not let this user run scripts",
                "the permissions of the user");
    }

    @Test
    void takesPermitsAheadOnlyWhenTold() {
        application.run(context -> assertThat(spentAfterMany(context)).isEqualTo(100));
        application
                .withPropertyValues("headgate.redis.ahead-for=1s")
                .run(context -> assertThat(spentAfterMany(context)).isGreaterThan(100));
    }

    /** As Redis has it, right after a hundred requests. */
    private static long spentAfterMany(AssertableApplicationContext context) {
        RateLimiter limiter = context.getBean(Headgate.class)
                .limiter("many-" + UUID.randomUUID(), Plan.parse("10000/day"), FailurePolicy.CLOSED);
        for (int i = 0; i < 100; i++) {
            assertThat(limiter.tryAcquire("ann").allowed()).isTrue();
        }
        return 10_000 - limiter.peek("ann").remaining();
    }

    @Test
    void stopsWhenPermitsAreToBeTakenAheadForTooLong() {
        application.withPropertyValues("headgate.redis.ahead-for=2s").run(context -> {
            assertThat(context).hasFailed();
            assertThat(new InvalidSettingFailureAnalyzer()
                            .analyze(context.getStartupFailure())
                            .getDescription())
                    .contains("headgate.redis.ahead-for = PT2S", "1 ms to 1 s, or not at all (0), not for PT2S");
        });
    }

    @Test
    void namesTheSettingThatIsWrong() {
        Map<String, String> wrong = Map.of(
                "headgate.instances=0", "headgate.instances = 0: the number of instances must be between 1 and",
                "headgate.guard.failures=11",
                        "headgate.guard.failures = 11: the number of failures must be between 1 and 10",
                "headgate.guard.deadline=0s",
                        "headgate.guard.deadline = PT0S: a deadline must be between 1 us and 1 min",
                "headgate.redis.timeout=0s", "headgate.redis.timeout = PT0S: ",
                "headgate.redis.key-secret=", "headgate.redis.key-secret = : a key secret must not be empty",
                "headgate.redis.key-prefix={a}", "headgate.redis.key-prefix = {a}: ");
        wrong.forEach((property, said) -> application
                .withPropertyValues(property)
                .run(context -> {
                    FailureAnalysis analysis = new InvalidSettingFailureAnalyzer().analyze(context.getStartupFailure());
                    assertThat(analysis.getDescription()).startsWith(said);
                    assertThat(analysis.getAction()).contains(property.substring(0, property.indexOf('=')));
                }));
    }

    @Test
    void warnsWhenRedisForgets(CapturedOutput output) {
        redis.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
        try {
            application.run(context -> awaitWarning(output));
        } finally {
            redis.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
        }
    }

    @Test
    void warnsWhenARedisForgetsThatComesLater(CapturedOutput output) {
        redis.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
        try (FaultProxy network = FaultProxy.to(redis)) {
            network.refuse();
            application
                    .withPropertyValues("spring.data.redis.port=" + network.port())
                    .run(context -> {
                        assertThat(output).doesNotContain("maxmemory-policy");
                        network.pass();
                        awaitWarning(output);
                    });
        } finally {
            redis.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
        }
    }

    private static void awaitWarning(CapturedOutput output) {
        await().untilAsserted(() -> assertThat(output).containsOnlyOnce("(maxmemory-policy allkeys-lru)"));
    }

    private static RateLimiter limiter(LedgerFactory ledgers) {
        Plan plan = Plan.parse("1/h");
        return new LedgerLimiter("test", plan, ledgers.bind("test", plan, FailurePolicy.LOCAL), TimeSource.system());
    }
}
