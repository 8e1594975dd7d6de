package io.headgate.spring.boot.autoconfigure;

import static io.headgate.spring.line.Hints.accesses;
import static io.headgate.spring.line.Hints.invokes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.proxies;
import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.reflection;
import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.resource;

import io.headgate.http.Rule;
import io.headgate.spring.RateLimit;
import io.headgate.spring.RateLimitExceededException;
import io.headgate.spring.RateLimits;
import io.headgate.spring.boot.actuate.RateLimitsEndpoint;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.aot.AotServices;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.javapoet.ClassName;

/** What a native image is told, beforehand. */
class NativeHintsTest {

    private final RuntimeHints hints = new RuntimeHints();

    @Test
    void knowsEveryScript() throws IOException {
        new HeadgateRuntimeHints().registerHints(hints, getClass().getClassLoader());
        Resource[] scripts =
                new PathMatchingResourcePatternResolver().getResources("classpath*:io/headgate/redis/*.lua");
        assertThat(scripts).hasSizeGreaterThan(10);
        for (Resource script : scripts) {
            assertThat(resource().forResource("io/headgate/redis/" + script.getFilename()))
                    .accepts(hints);
        }
    }

    @Test
    void knowsAnnotationsAnswersAndFields() throws ClassNotFoundException {
        new HeadgateRuntimeHints().registerHints(hints, getClass().getClassLoader());
        assertThat(proxies().forInterfaces(RateLimit.class)).accepts(hints);
        assertThat(proxies().forInterfaces(RateLimits.class)).accepts(hints);
        assertThat(invokes(RateLimit.class, "key")).accepts(hints);
        assertThat(invokes("io.headgate.spring.method.expression.RequestValues", "neededHeader"))
                .accepts(hints);
        assertThat(accesses(RedisClient.class, "redisURI")).accepts(hints);
        assertThat(accesses(AbstractRedisClient.class, "sharedResources")).accepts(hints);
        assertThat(accesses(RedisClusterClient.class, "initialUris")).accepts(hints);
        assertThat(invokes(RateLimitsEndpoint.Standing.class, "remaining")).accepts(hints);
        assertThat(invokes(Rule.class, "paths")).accepts(hints);
    }

    @Test
    void asksForNothingThatIsNotThere() {
        new HeadgateRuntimeHints()
                .registerHints(hints, new FilteredClassLoader("io.lettuce", "org.springframework.boot.actuate"));
        assertThat(reflection().onType(RedisClient.class)).rejects(hints);
        assertThat(reflection().onType(RateLimitsEndpoint.Standing.class)).rejects(hints);
    }

    @Test
    void isFoundByTheBuildOfImages() {
        assertThat(AotServices.factories().load(RuntimeHintsRegistrar.class))
                .hasAtLeastOneElementOfType(HeadgateRuntimeHints.class);
    }

    /** The whole application is processed, and with it its own beans. */
    @Test
    void knowsTheMethodsOfTheApplicationThatGoByName() throws Exception {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.register(HeadgateAutoConfiguration.class, HeadgateMethodAutoConfiguration.class);
            context.registerBean(Service.class);
            GenerationContext generation = new DefaultGenerationContext(
                    new ClassNameGenerator(ClassName.get(getClass())), new InMemoryGeneratedFiles());
            new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
            RuntimeHints told = generation.getRuntimeHints();
            assertThat(invokes(
                            Service.class.getDeclaredMethod("later", String.class, RateLimitExceededException.class)))
                    .accepts(told);
            assertThat(invokes(Base.class.getDeclaredMethod("instead", User.class)))
                    .accepts(told);
            assertThat(invokes(User.class, "id")).accepts(told);
            assertThat(invokes(User.class, "age")).accepts(told);
        }
    }

    record User(String id, int age) {}

    static class Base {

        String instead(User user) {
            return user.id();
        }
    }

    static class Service extends Base {

        @RateLimit(key = "#user.id", cost = "#user.age()", fallback = "instead")
        public String ofUser(User user) {
            return user.id();
        }

        @RateLimit(fallback = "later")
        public String now(String who) {
            return who;
        }

        String later(String who, RateLimitExceededException denial) {
            return who + denial;
        }
    }
}
