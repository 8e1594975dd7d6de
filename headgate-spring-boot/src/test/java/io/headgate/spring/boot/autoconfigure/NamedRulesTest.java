package io.headgate.spring.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.http.Rule;
import io.headgate.spring.RuleStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;

/** Rules that are written as a map by name, so that one property of one rule can be changed elsewhere. */
class NamedRulesTest {

    private static final String RULES = """
            headgate:
              rules:
                ip-ceiling:
                  path: /api/**
                  match: all
                  limits: 1000/min
                api:
                  path: /api/**
                  exclude: [/api/health]
                  subject: api-key
                  limits: ["10/s", "100/min"]
                Log_in:
                  path: /login
                  limits: 5/min
            """;

    private final ApplicationContextRunner application =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(HeadgateAutoConfiguration.class));

    @Test
    void readsRulesByTheirNamesInTheOrderWritten() {
        yaml(RULES)
                .run(context -> assertThat(rules(context))
                        .containsExactly(
                                Rule.named("ip-ceiling")
                                        .paths("/api/**")
                                        .match(Rule.Match.ALL)
                                        .limits("1000/min")
                                        .build(),
                                Rule.named("api")
                                        .paths("/api/**")
                                        .exclude("/api/health")
                                        .subject("api-key")
                                        .limits("10/s", "100/min")
                                        .build(),
                                Rule.named("Log_in")
                                        .paths("/login")
                                        .limits("5/min")
                                        .build()));
    }

    @ParameterizedTest
    @CsvSource({
        "HEADGATE_RULES_API_LIMITS,                  api",
        "HEADGATE_RULES_API_LIMITS_0,                api",
        "HEADGATE_RULES_IPCEILING_LIMITS,            ip-ceiling",
        "HEADGATE_RULES_IP_CEILING_LIMITS,           ip-ceiling",
    })
    void changesOnePropertyOfOneRuleByAVariable(String variable, String changed) {
        environment(yaml(RULES), Map.of(variable, "20/min")).run(context -> {
            assertThat(rules(context)).extracting(Rule::name).containsExactly("ip-ceiling", "api", "Log_in");
            assertThat(rules(context))
                    .allSatisfy(rule -> assertThat(rule.limits().equals(List.of("20/min")))
                            .as(rule.name())
                            .isEqualTo(rule.name().equals(changed)));
            assertThat(rules(context).get(1).paths()).containsExactly("/api/**");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"HEADGATE_RULES_IPCEILING_ONSTOREFAILURE", "HEADGATE_RULES_IP_CEILING_ON_STORE_FAILURE"})
    void changesAPropertyWithDashesByAVariable(String variable) {
        environment(yaml(RULES), Map.of(variable, "closed"))
                .run(context -> assertThat(rules(context))
                        .extracting(rule -> rule.onStoreFailure().name())
                        .containsExactly("CLOSED", "LOCAL", "LOCAL"));
    }

    /** The source of higher precedence changes what it names, and adds rules after those that were there. */
    @Test
    void changesAndAddsRulesInAnotherSource() {
        yaml(RULES)
                .withPropertyValues(
                        "headgate.rules.added.path=/added",
                        "headgate.rules.added.limits=1/s",
                        "headgate.rules.ipCeiling.limits=7/min",
                        "headgate.rules.api.limits[0]=9/min")
                .run(context -> {
                    assertThat(rules(context))
                            .extracting(Rule::name)
                            .containsExactly("ip-ceiling", "api", "Log_in", "added");
                    assertThat(rules(context))
                            .extracting(Rule::limits)
                            .containsExactly(List.of("7/min"), List.of("9/min"), List.of("5/min"), List.of("1/s"));
                });
    }

    @Test
    void readsRulesFromVariablesAlone() {
        environment(
                        application,
                        Map.of(
                                "HEADGATE_RULES_API_PATH", "/api/**",
                                "HEADGATE_RULES_API_LIMITS", "5/min",
                                "HEADGATE_RULES_PORT", "tcp://10.0.0.1:80",
                                "HEADGATE_RULES_PORT_80_TCP_ADDR", "10.0.0.1",
                                "HEADGATE_RULES_SERVICE_HOST", "10.0.0.1"))
                .run(context -> assertThat(rules(context))
                        .containsExactly(Rule.named("api")
                                .paths("/api/**")
                                .limits("5/min")
                                .build()));
    }

    /** The name of a rule may begin with that of another. */
    @Test
    void changesTheRuleWithTheLongerName() {
        environment(
                        yaml(RULES + "    ip: {path: /ip, limits: 1/s}"),
                        Map.of("HEADGATE_RULES_IP_CEILING_LIMITS", "20/min", "HEADGATE_RULES_IP_LIMITS", "2/s"))
                .run(context -> assertThat(rules(context))
                        .extracting(Rule::limits)
                        .containsExactly(
                                List.of("20/min"), List.of("10/s", "100/min"), List.of("5/min"), List.of("2/s")));
    }

    /** It would be a limit that nobody keeps. */
    @Test
    void rejectsVariablesThatChangeNothing() {
        environment(yaml(RULES), Map.of("HEADGATE_RULES_IPCEILNG_LIMITS", "20/min"))
                .run(context -> assertThat(said(context.getStartupFailure()))
                        .contains("no rule is called 'ipceilng'; there are [ip-ceiling, api, Log_in];"
                                + " did you mean 'ip-ceiling'?"));
        environment(yaml(RULES), Map.of("HEADGATE_RULES_API_LIMTS", "20/min"))
                .run(context -> assertThat(said(context.getStartupFailure()))
                        .contains("HEADGATE_RULES_API_LIMTS: there is no such property; use one of [algorithm, ")
                        .contains("did you mean 'limits'?"));
    }

    @Test
    void rejectsAListBesideAMap() {
        String problem = "the rules are written as a list (headgate.rules[0].name) and as a map by name"
                + " (headgate.rules.api); use one of the two";
        application
                .withPropertyValues("headgate.rules[0].name=api", "headgate.rules.api.limits=1/s")
                .run(context -> assertThat(said(context.getStartupFailure())).contains(problem));
        environment(
                        application.withPropertyValues(
                                "headgate.rules[0].name=api",
                                "headgate.rules[0].path=/api",
                                "headgate.rules[0].limits=1/s"),
                        Map.of("HEADGATE_RULES_API_LIMITS", "20/min"))
                .run(context -> assertThat(said(context.getStartupFailure())).contains(problem));
    }

    @Test
    void saysWhatIsWrongWithARuleOfAMap() {
        application
                .withPropertyValues(
                        "headgate.rules.api.path=/api",
                        "headgate.rules.api.limits=1/s",
                        "headgate.rules.api.metods=GET")
                .run(context -> assertThat(said(context.getStartupFailure()))
                        .contains("headgate.rules.api.metods = GET: there is no such property"));
        application
                .withPropertyValues(
                        "headgate.rules.api.path=/api",
                        "headgate.rules.api.limits=1/s",
                        "headgate.rules.api.name=other")
                .run(context -> assertThat(said(context.getStartupFailure()))
                        .contains("headgate.rules.api.name = other: in a map, a rule has the name 'api' of its key"));
        application
                .withPropertyValues("headgate.rules.api.path=/api")
                .run(context -> assertThat(said(context.getStartupFailure()))
                        .contains("headgate.rules.api, rule 'api': needs a limit"));
        application
                .withPropertyValues("headgate.rules[Log in].path=/login", "headgate.rules[Log in].limits=1/s")
                .run(context -> assertThat(said(context.getStartupFailure()))
                        .contains("headgate.rules[Log in].path: the name of a rule in a map cannot be in brackets"));
        application
                .withPropertyValues("headgate.rules.api=1/s")
                .run(context -> assertThat(said(context.getStartupFailure()))
                        .contains("headgate.rules.api = 1/s: there is no such property"));
    }

    @Test
    void readsAMapFromAFile(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("rules.yml");
        Files.writeString(file, RULES);
        application
                .withPropertyValues("headgate.rule-file.location=" + file)
                .run(context -> assertThat(rules(context))
                        .extracting(Rule::name)
                        .containsExactly("ip-ceiling", "api", "Log_in"));

        Files.writeString(file, """
                headgate.rules:
                  api: {path: /api, limits: 1/s, metods: GET}
                  other: {path: /other, limits: 1/s, name: another}
                headgate.rules[0]: {name: first, path: /first, limits: 1/s}
                """);
        application
                .withPropertyValues("headgate.rule-file.location=" + file)
                .run(context -> assertThat(said(context.getStartupFailure()))
                        .contains("rule 'api': there is no property metods")
                        .contains("headgate.rules.other.name = another")
                        .contains("as a list (headgate.rules[0].name) and as a map by name (headgate.rules.api)"));
    }

    private static List<Rule> rules(ApplicationContext context) {
        return context.getBean(RuleStore.class).get().rules();
    }

    private static String said(Throwable failure) {
        return failure == null ? "started" : failure.getMessage() + said(failure.getCause());
    }

    private static ApplicationContextRunner environment(
            ApplicationContextRunner application, Map<String, Object> variables) {
        String name = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
        return application.withInitializer(context -> context.getEnvironment()
                .getPropertySources()
                .replace(name, new SystemEnvironmentPropertySource(name, variables)));
    }

    /** As in {@code application.yml}: after the environment. */
    private ApplicationContextRunner yaml(String text) {
        return application.withInitializer(context -> {
            try {
                new YamlPropertySourceLoader()
                        .load("application", new ByteArrayResource(text.getBytes(StandardCharsets.UTF_8)))
                        .forEach(context.getEnvironment().getPropertySources()::addLast);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}
