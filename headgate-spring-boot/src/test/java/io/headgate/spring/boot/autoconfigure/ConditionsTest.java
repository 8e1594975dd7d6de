package io.headgate.spring.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Store;
import io.headgate.http.Gate;
import io.headgate.http.RuleSet;
import io.headgate.memory.MemoryStore;
import io.headgate.redis.RedisStore;
import io.headgate.spring.RuleStore;
import io.headgate.spring.boot.actuate.DecisionMetrics;
import io.headgate.spring.boot.actuate.RateLimitsEndpoint;
import io.headgate.spring.boot.actuate.RateLimitsWebExtension;
import io.headgate.spring.line.Line;
import io.headgate.spring.method.LimitPostProcessor;
import io.headgate.spring.method.MethodLimits;
import io.headgate.spring.servlet.GateInterceptor;
import io.headgate.spring.webflux.GateHandlerAdapter;
import io.headgate.spring.webflux.GateWebFilter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.servlet.DispatcherServlet;

/** Which of our beans there are, by what the application is and has. Health and Redis have tests of their own. */
class ConditionsTest {

    /** As Spring Boot finds them, without the health: a filtered class loader cannot take from a loaded class what stands on it. */
    private static final AutoConfigurations OURS = AutoConfigurations.of(
            Arrays.stream(listed()).filter(each -> each != Line.HEADGATE_HEALTH).toArray(Class<?>[]::new));

    private final ApplicationContextRunner plain = new ApplicationContextRunner().withConfiguration(OURS);
    private final WebApplicationContextRunner servlet = new WebApplicationContextRunner().withConfiguration(OURS);
    private final ReactiveWebApplicationContextRunner reactive =
            new ReactiveWebApplicationContextRunner().withConfiguration(OURS);

    @Test
    void listsEveryAutoConfiguration() {
        assertThat(listed()).hasSize(10).contains(HeadgateAutoConfiguration.class, Line.HEADGATE_HEALTH);
    }

    /** All that is left is a line in the log that says so. */
    @Test
    void leavesNothingBehindWhenDisabled() {
        plain.withPropertyValues("headgate.enabled=false")
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .run(context -> assertThat(ours(context)).allMatch(ConditionsTest::saysItIsOff));
        servlet.withPropertyValues("headgate.enabled=false")
                .run(context -> assertThat(ours(context)).allMatch(ConditionsTest::saysItIsOff));
        reactive.withPropertyValues("headgate.enabled=false")
                .run(context -> assertThat(ours(context)).allMatch(ConditionsTest::saysItIsOff));
        plain.run(context -> assertThat(ours(context)).noneMatch(ConditionsTest::saysItIsOff));
    }

    private static boolean saysItIsOff(String bean) {
        return bean.equals("headgateOff") || bean.endsWith("HeadgateOffAutoConfiguration");
    }

    /** As Spring Boot reads them everywhere: HEADGATE_ENABLED=1 is a usual way to write it. */
    @ParameterizedTest
    @ValueSource(strings = {"true", "TRUE", "yes", "on", "1", ""})
    void isEnabledByWhatMeansYes(String value) {
        plain.withPropertyValues("headgate.enabled=" + value)
                .run(context -> assertThat(context).hasSingleBean(RuleStore.class));
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "no", "off", "0"})
    void isDisabledByWhatMeansNo(String value) {
        plain.withPropertyValues("headgate.enabled=" + value)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(RuleStore.class));
    }

    /** A slip of the finger must not switch all limits off. */
    @Test
    void stopsAtWhatIsNeitherYesNorNo() {
        plain.withPropertyValues("headgate.enabled=treu")
                .run(context -> assertThat(context).getFailure().hasMessageContaining("treu"));
    }

    /** Beans of the application that would take the place of ours do not stand for the rest of ours. */
    @Test
    void startsWhenDisabledWithBeansInPlaceOfOurs() {
        plain.withPropertyValues("headgate.enabled=false")
                .withBean(RuleStore.class, () -> () -> RuleSet.EMPTY)
                .run(context -> assertThat(context).hasNotFailed());
        servlet.withPropertyValues("headgate.enabled=false", "management.endpoints.web.exposure.include=*")
                .withBean(RuleStore.class, () -> () -> RuleSet.EMPTY)
                .withBean(Gate.class, Gate::new)
                .run(context -> assertThat(context).hasNotFailed());
        reactive.withPropertyValues("headgate.enabled=false")
                .withBean(Gate.class, Gate::new)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void limitsRequestsInTheWayTheyArrive() {
        plain.run(context -> assertThat(context)
                .hasSingleBean(Gate.class)
                .doesNotHaveBean(GateInterceptor.class)
                .doesNotHaveBean(GateWebFilter.class));
        servlet.run(context -> assertThat(context)
                .hasSingleBean(GateInterceptor.class)
                .hasBean("headgateFilter")
                .doesNotHaveBean(GateWebFilter.class));
        servlet.withClassLoader(new FilteredClassLoader(DispatcherServlet.class))
                .run(context -> assertThat(context).doesNotHaveBean(GateInterceptor.class));
        reactive.run(context -> {
            assertThat(context).doesNotHaveBean(GateInterceptor.class);
            assertThat(context).hasSingleBean(GateWebFilter.class).hasSingleBean(GateHandlerAdapter.class);
        });
        reactive.withClassLoader(new FilteredClassLoader(DispatcherHandler.class))
                .run(context -> assertThat(context).doesNotHaveBean(GateWebFilter.class));
    }

    @Test
    void limitsMethodsWhereThereIsAop() {
        plain.run(context ->
                assertThat(context).hasSingleBean(MethodLimits.class).hasSingleBean(LimitPostProcessor.class));
        plain.withClassLoader(new FilteredClassLoader(AbstractBeanFactoryAwareAdvisingPostProcessor.class))
                .run(context -> assertThat(context).hasSingleBean(Gate.class).doesNotHaveBean("headgateMethodLimits"));
    }

    @Test
    void measuresWhereThereIsARegistry() {
        plain.run(context -> assertThat(context).doesNotHaveBean(DecisionMetrics.class));
        plain.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .run(context -> assertThat(context).hasSingleBean(DecisionMetrics.class));
        plain.withClassLoader(new FilteredClassLoader(MeterRegistry.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("headgateMetrics"));
    }

    /** Known bug H13: only where somebody has asked for it. */
    @Test
    void offersTheEndpointWhereItIsExposed() {
        servlet.run(context -> assertThat(context).doesNotHaveBean(RateLimitsEndpoint.class));
        servlet.withPropertyValues("management.endpoints.web.exposure.include=ratelimits")
                .run(context -> assertThat(context)
                        .hasSingleBean(RateLimitsEndpoint.class)
                        .hasSingleBean(RateLimitsWebExtension.class));
        servlet.withPropertyValues("management.endpoints.jmx.exposure.include=ratelimits", "spring.jmx.enabled=true")
                .run(context -> assertThat(context)
                        .hasSingleBean(RateLimitsEndpoint.class)
                        .doesNotHaveBean(RateLimitsWebExtension.class));
        servlet.withPropertyValues(
                        "management.endpoints.web.exposure.include=*", "management.endpoint.ratelimits.access=NONE")
                .run(context -> assertThat(context).doesNotHaveBean(RateLimitsEndpoint.class));
        servlet.withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("headgateEndpoint"));
        assertThat(RateLimitsEndpoint.class.getAnnotation(Endpoint.class).id()).isEqualTo("ratelimits");
    }

    @Test
    void keepsCountsInMemoryWithoutAConnectionToRedis() {
        plain.run(context -> assertThat(context).getBean(Store.class).isInstanceOf(MemoryStore.class));
        plain.withClassLoader(new FilteredClassLoader(LettuceConnectionFactory.class, RedisStore.class))
                .run(context -> assertThat(context).getBean(Store.class).isInstanceOf(MemoryStore.class));
    }

    @Test
    void needsNoneOfWhatIsOptional() {
        plain.withClassLoader(new FilteredClassLoader(
                        "io.micrometer",
                        "io.lettuce",
                        "org.springframework.data",
                        "org.springframework.boot.actuate",
                        "org.springframework.jdbc",
                        "jakarta.servlet",
                        "reactor"))
                .run(context ->
                        assertThat(context).hasSingleBean(RuleStore.class).hasSingleBean(MethodLimits.class));
    }

    private static List<String> ours(ApplicationContext context) {
        return Arrays.stream(context.getBeanDefinitionNames())
                .filter(name -> context.getBean(name).getClass().getName().startsWith("io.headgate"))
                .toList();
    }

    /** Spring Boot does not load those of another line, of which there is the health. */
    private static Class<?>[] listed() {
        String list = "META-INF/spring/org.springframework.boot.autoconfigure.AutoConfiguration.imports";
        try {
            return Arrays.stream(new PathMatchingResourcePatternResolver().getResources("classpath*:" + list))
                    .flatMap(ConditionsTest::lines)
                    .filter(name -> name.startsWith("io.headgate.") && !name.contains(".line."))
                    .filter(name -> !name.contains("Health") || name.equals(Line.HEADGATE_HEALTH.getName()))
                    .map(ConditionsTest::named)
                    .toArray(Class<?>[]::new);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<String> lines(Resource list) {
        try {
            return list.getContentAsString(StandardCharsets.UTF_8).lines();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Class<?> named(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }
}
