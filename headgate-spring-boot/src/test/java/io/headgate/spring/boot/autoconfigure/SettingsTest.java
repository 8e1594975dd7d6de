package io.headgate.spring.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.FailurePolicy;
import io.headgate.Store;
import io.headgate.http.Rule;
import io.headgate.memory.MemoryStore;
import io.headgate.spring.RuleStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;

/** What is written under {@code headgate} is in force, or stops the start-up. */
class SettingsTest {

    private final ApplicationContextRunner application =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(HeadgateAutoConfiguration.class));

    @Test
    void keepsCountsInMemoryByDefault() {
        application.run(context -> assertThat(context).getBean(Store.class).isInstanceOf(MemoryStore.class));
    }

    @Test
    void doesNothingWhenDisabled() {
        application
                .withPropertyValues("headgate.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(Store.class));
    }

    @Test
    void readsRulesAsTheDesignWritesThem() {
        yaml("""
                headgate:
                  on-store-failure: open
                  rules:
                    - name: login
                      path: /api/login
                      methods: [POST]
                      subject: ip
                      limits: ["5/min", "20/h"]
                      algorithm: sliding-window-log
                      on-store-failure: closed
                      stage: filter
                    - name: api
                      path: /api/**
                      exclude: [/api/health, /api/metrics]
                      subject: api-key
                      limits: 100/min burst 20
                    - name: ip-ceiling
                      path: /api/**
                      subject: ip
                      match: all
                      limits: 1000/min
                """)
                .run(context -> assertThat(rules(context.getBean(RuleStore.class)))
                        .containsExactly(
                                Rule.named("login")
                                        .paths("/api/login")
                                        .methods("POST")
                                        .limits("5/min", "20/h")
                                        .algorithm("sliding-window-log")
                                        .onStoreFailure(FailurePolicy.CLOSED)
                                        .stage(Rule.Stage.FILTER)
                                        .build(),
                                Rule.named("api")
                                        .paths("/api/**")
                                        .exclude("/api/health", "/api/metrics")
                                        .subject("api-key")
                                        .limits("100/min burst 20")
                                        .onStoreFailure(FailurePolicy.OPEN)
                                        .build(),
                                Rule.named("ip-ceiling")
                                        .paths("/api/**")
                                        .match(Rule.Match.ALL)
                                        .limits("1000/min")
                                        .onStoreFailure(FailurePolicy.OPEN)
                                        .build()));
    }

    /** Known bug C11: what is wrong is said at start-up, all of it. */
    @Test
    void namesEveryWrongRule() {
        yaml("""
                headgate:
                  rules:
                    - name: fine
                      path: /fine
                      limits: 1/s
                    - name: odd
                      path: /odd
                      limits: 10/fortnight
                    - name: nobody
                      path: /nobody
                      subject: somebody
                      limits: 1/s
                """)
                .run(context -> assertThat(analyzed(context.getStartupFailure()))
                        .contains("headgate.rules[1], rule 'odd'", "10/fortnight", "a unit of time")
                        .contains("headgate.rules[2], rule 'nobody'", "'somebody' is not known", "api-key")
                        .doesNotContain("fine"));
    }

    @Test
    void namesBothRulesOfOneName() {
        yaml("""
                headgate:
                  rules:
                    - name: twin
                      path: /one
                      limits: 1/s
                    - name: fine
                      path: /fine
                      limits: 1/s
                    - name: twin
                      path: /two
                      limits: 1/s
                """)
                .run(context -> assertThat(analyzed(context.getStartupFailure()))
                        .contains("headgate.rules[0] and headgate.rules[2], rule 'twin': another rule has that name"));
    }

    @Test
    void rejectsThePrincipalBeforeAuthentication() {
        application
                .withPropertyValues(
                        "headgate.rules[0].name=early",
                        "headgate.rules[0].path=/**",
                        "headgate.rules[0].subject=principal",
                        "headgate.rules[0].limits=1/s",
                        "headgate.rules[0].stage=filter")
                .run(context -> assertThat(analyzed(context.getStartupFailure()))
                        .contains("'principal' is not known yet in the filter stage"));
    }

    /** Known bug C1: a misspelt property would be a limit that nobody keeps. */
    @Test
    void rejectsMisspeltProperties() {
        for (String misspelt : List.of(
                "headgate.rules[0].metods[0]=POST",
                "headgate.rules[0].on-store-failur=closed",
                "headgate.trusted-proxy=10.0.0.1",
                "headgate.redis.key-prefx=x")) {
            application
                    .withPropertyValues(misspelt)
                    .run(context -> assertThat(analyzed(context.getStartupFailure()))
                            .contains(
                                    misspelt.replace("=", " = "),
                                    "there is no such property",
                                    "use one of [",
                                    "did you mean"));
        }
    }

    @Test
    void rejectsMisspeltRulesInTheEnvironment() {
        for (String misspelt : List.of("HEADGATE_RULES_0_METODS", "HEADGATE_RULES_0_ON_STORE_FAILUR")) {
            environment(Map.of(
                            "HEADGATE_RULES_0_NAME",
                            "api",
                            "HEADGATE_RULES_0_PATH",
                            "/api/**",
                            "HEADGATE_RULES_0_LIMITS",
                            "5/min",
                            misspelt,
                            "POST"))
                    .run(context -> assertThat(analyzed(context.getStartupFailure()))
                            .contains(misspelt + " = POST", "there is no such property", "methods"));
        }
    }

    /** Whoever sets one word of a rule elsewhere has a list of their own, and hears why the rest is missing. */
    @Test
    void saysThatRulesOfTheEnvironmentReplaceAllOthers() {
        environment(Map.of("HEADGATE_RULES_0_LIMITS", "20/min"))
                .run(context -> assertThat(analyzed(context.getStartupFailure()))
                        .contains("headgate.rules[0]: needs a name", "replaces all others", "as a map by name"));
        application
                .withPropertyValues("headgate.rules[0].name=api", "headgate.rules[0].path=/api/**")
                .run(context -> assertThat(analyzed(context.getStartupFailure()))
                        .contains("rule 'api': needs a limit")
                        .doesNotContain("replace"));
    }

    @Test
    void usesTheAlgorithmOfTheApplicationWhereNothingElseIsSaid() {
        yaml("""
                headgate:
                  algorithm: ${one:sliding-window}
                  rules:
                    - name: one
                      path: /one
                      limits: ["5/min", "5/h leaky-bucket", "2 per calendar-day Europe/Berlin", "1/s burst 3"]
                    - name: two
                      path: /two
                      limits: 5/min
                      algorithm: ${two}
                two: fixed-window
                """)
                .run(context -> assertThat(
                                context.getBean(RuleStore.class).get().boundRules())
                        .extracting(point -> point.limiter().plan().toString())
                        .containsExactly(
                                "[5/min sliding-window, 5/h leaky-bucket, 2 per calendar-day Europe/Berlin fixed-window,"
                                        + " 1/s burst 3 token-bucket]",
                                "[5/min fixed-window]"));
        application
                .withPropertyValues("headgate.algorithm=slidingwindow")
                .run(context -> assertThat(analyzed(context.getStartupFailure()))
                        .contains("headgate.algorithm = slidingwindow", "there are [fixed-window, leaky-bucket,"));
    }

    /** Every way that Spring Boot reads, and names that are none of ours. */
    @Test
    void readsRulesFromTheEnvironment() {
        Map<String, Object> written = Map.of(
                "HEADGATE_RULES_0_NAME", "api",
                "HEADGATE_RULES_0_PATH", "/api/**",
                "HEADGATE_RULES_0_LIMITS_0", "5/min",
                "HEADGATE_RULES_0_LIMITS_1", "20/h",
                "HEADGATE_HOME", "/opt/headgate",
                "HEADGATE_RULES_PORT", "tcp://10.0.0.1:80");
        for (String spelling : List.of("HEADGATE_RULES_0_ONSTOREFAILURE", "HEADGATE_RULES_0_ON_STORE_FAILURE")) {
            Map<String, Object> all = new HashMap<>(written);
            all.put(spelling, "closed");
            environment(all)
                    .run(context -> assertThat(rules(context.getBean(RuleStore.class)))
                            .containsExactly(Rule.named("api")
                                    .paths("/api/**")
                                    .limits("5/min", "20/h")
                                    .onStoreFailure(FailurePolicy.CLOSED)
                                    .build()));
        }
    }

    /** Whoever moves to a store that can fail later finds them right. */
    @Test
    void rejectsSettingsThatTheStoreHasNoUseFor() {
        for (String wrong : List.of("headgate.instances=0", "headgate.guard.deadline=0s")) {
            application
                    .withPropertyValues(wrong)
                    .run(context -> assertThat(analyzed(context.getStartupFailure()))
                            .contains(wrong.substring(0, wrong.indexOf('=')) + " = "));
        }
    }

    @Test
    void namesPropertyValueAndRemedy() {
        application
                .withPropertyValues("headgate.trusted-proxies=10.0.0.0/8,proxy.local")
                .run(context -> assertThat(analyzed(context.getStartupFailure()))
                        .contains("headgate.trusted-proxies", "'proxy.local' is not an address", "10.0.0.0/8"));
        application
                .withPropertyValues("headgate.ipv6-prefix=200")
                .run(context -> assertThat(analyzed(context.getStartupFailure()))
                        .contains("headgate.ipv6-prefix = 200", "between 16 and 128"));
        application
                .withPropertyValues("headgate.max-keys=0")
                .run(context -> assertThat(analyzed(context.getStartupFailure()))
                        .contains("headgate.max-keys = 0", "at least 1"));
        application
                .withPropertyValues("headgate.max-keys=0")
                .withBean(UnreliableStore.class)
                .run(context -> assertThat(analyzed(context.getStartupFailure()))
                        .contains("headgate.max-keys = 0", "at least 1"));
    }

    @Test
    void saysWhatIsInForce() {
        application
                .withPropertyValues(
                        "headgate.rules[0].name=api", "headgate.rules[0].path=/api/**", "headgate.rules[0].limits=1/s")
                .withBean(
                        Endpoints.class,
                        () -> () -> List.of(
                                new Endpoints.Endpoint(List.of("GET"), List.of("/api/orders/{id}"), false),
                                new Endpoints.Endpoint(List.of("GET"), List.of("/own", "/mine"), true),
                                new Endpoints.Endpoint(List.of("GET"), List.of("/health"), false)))
                .run(context -> assertThat(context.getBean(StartupReport.class).line())
                        .isEqualTo("Headgate: 1 rule in force and 1 handler limited by annotation,"
                                + " kept in memory by this instance;"
                                + " not limited: GET /health"));
    }

    private ApplicationContextRunner environment(Map<String, Object> variables) {
        String name = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
        return application.withInitializer(context -> context.getEnvironment()
                .getPropertySources()
                .replace(name, new SystemEnvironmentPropertySource(name, variables)));
    }

    private ApplicationContextRunner yaml(String text) {
        return application.withInitializer(context -> {
            try {
                for (PropertySource<?> source : new YamlPropertySourceLoader()
                        .load("test", new ByteArrayResource(text.getBytes(StandardCharsets.UTF_8)))) {
                    context.getEnvironment().getPropertySources().addFirst(source);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private static List<Rule> rules(RuleStore store) {
        return store.get().rules();
    }

    private static String analyzed(Throwable failure) {
        FailureAnalysis analysis = new InvalidSettingFailureAnalyzer().analyze(failure);
        assertThat(analysis).as("no analysis of %s", failure).isNotNull();
        return analysis.getDescription() + " " + analysis.getAction();
    }
}
