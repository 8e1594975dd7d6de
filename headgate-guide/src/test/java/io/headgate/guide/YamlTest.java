package io.headgate.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.guide.Pages.Block;
import io.headgate.spring.RuleStore;
import io.headgate.spring.autoconfigure.HeadgateAutoConfiguration;
import io.headgate.spring.autoconfigure.HeadgateRedisAutoConfiguration;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.EnumerablePropertySource;

/** Every piece of YAML on a page is the configuration of an application that starts. */
class YamlTest {

    private static final Pattern RULE_NAME = Pattern.compile("- name: (\\S+)");
    private static final Pattern PROPERTY = Pattern.compile("\"name\": \"([a-z0-9.-]+)\"");

    static List<Block> yaml() {
        return Pages.blocks("yaml");
    }

    @ParameterizedTest
    @MethodSource("yaml")
    void startsAnApplication(Block block) {
        application(block.text())
                .run(context -> assertThat(
                                context.getBean(RuleStore.class).get().checkpoints())
                        .extracting(point -> point.rule().name())
                        .containsExactlyElementsOf(RULE_NAME
                                .matcher(block.text())
                                .results()
                                .map(found -> found.group(1))
                                .toList()));
    }

    private static ApplicationContextRunner application(String yaml) {
        return new ApplicationContextRunner()
                .withUserConfiguration(Beans.class)
                .withConfiguration(AutoConfigurations.of(
                        DataRedisAutoConfiguration.class,
                        HeadgateRedisAutoConfiguration.class,
                        HeadgateAutoConfiguration.class))
                .withPropertyValues("headgate.store=" + (yaml.contains("store: redis") ? "redis" : "memory"))
                .withInitializer(starting -> Application.properties(yaml)
                        .forEach(starting.getEnvironment().getPropertySources()::addLast));
    }

    /** Headgate refuses properties it does not know; of the others somebody must have heard. */
    @ParameterizedTest
    @MethodSource("yaml")
    void namesPropertiesThatExist(Block block) throws IOException {
        Set<String> known = known();
        assertThat(names(block.text()).filter(name -> !name.startsWith("headgate.")))
                .allMatch(known::contains);
    }

    @Test
    void refusesWhatIsMisspelt() {
        String misspelt = "headgate:\n  rules:\n    - name: api\n      path: /api/**\n      limit: 10/min\n";
        application(misspelt)
                .run(context ->
                        assertThat(context.getStartupFailure()).hasStackTraceContaining("headgate.rules[0].limit"));
        assertThat(names("server:\n  prot: 1\n")).containsExactly("server.prot");
    }

    private static Stream<String> names(String yaml) {
        return Application.properties(yaml).stream()
                .flatMap(source -> Stream.of(((EnumerablePropertySource<?>) source).getPropertyNames()))
                .map(name -> name.replaceAll("\\[\\d+]", ""));
    }

    private static Set<String> known() throws IOException {
        Set<String> known = new HashSet<>();
        for (URL metadata : Collections.list(
                YamlTest.class.getClassLoader().getResources("META-INF/spring-configuration-metadata.json"))) {
            try (InputStream in = metadata.openStream()) {
                Matcher name = PROPERTY.matcher(new String(in.readAllBytes(), StandardCharsets.UTF_8));
                while (name.find()) {
                    known.add(name.group(1));
                }
            }
        }
        return known;
    }
}
