package io.headgate.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.guide.Pages.Block;
import io.headgate.http.BoundRule;
import io.headgate.spring.RuleStore;
import io.headgate.spring.boot.autoconfigure.HeadgateAutoConfiguration;
import io.headgate.spring.boot.autoconfigure.HeadgateClientAutoConfiguration;
import io.headgate.spring.boot.autoconfigure.HeadgateRedisAutoConfiguration;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.EnumerablePropertySource;

/**
 * Every piece of YAML on a page is the configuration of an application that starts. {@code GatewayPageTest} starts the gateways of their
 * page.
 */
class YamlTest {

    private static final Pattern RULE_NAME = Pattern.compile("- name: (\\S+)");
    private static final Pattern KEY = Pattern.compile("headgate\\.rules\\.([\\w-]+)\\..*");
    private static final Pattern PROPERTY = Pattern.compile("\"name\": \"([a-z0-9.-]+)\"");

    @TempDir
    Path folder;

    static List<Block> yaml() {
        return Pages.blocks("yaml").stream()
                .filter(block -> !block.page().endsWith("gateway.md"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("yaml")
    void startsAnApplication(Block block) {
        application(block.text())
                .run(context -> assertThat(
                                context.getBean(RuleStore.class).get().boundRules())
                        .extracting(BoundRule::name)
                        .containsExactlyElementsOf(rules(block.text())));
    }

    /** The rules of the block, or the one that is where the block says to look for them. */
    private static List<String> rules(String yaml) {
        if (yaml.contains("rule-file:") || yaml.contains("rule-table:")) {
            return List.of("api");
        }
        List<String> keys = names(yaml)
                .map(KEY::matcher)
                .filter(Matcher::matches)
                .map(key -> key.group(1))
                .distinct()
                .toList();
        return keys.isEmpty()
                ? RULE_NAME
                        .matcher(yaml.replaceAll("(?s)\n  clients:.*", ""))
                        .results()
                        .map(found -> found.group(1))
                        .toList()
                : keys;
    }

    private ApplicationContextRunner application(String yaml) {
        ApplicationContextRunner application = new ApplicationContextRunner()
                .withUserConfiguration(Beans.class, Tiers.class)
                .withConfiguration(AutoConfigurations.of(
                        DataRedisAutoConfiguration.class,
                        HeadgateRedisAutoConfiguration.class,
                        HeadgateAutoConfiguration.class,
                        HeadgateClientAutoConfiguration.class))
                .withPropertyValues("headgate.store=" + (yaml.contains("store: redis") ? "redis" : "memory"))
                .withInitializer(starting -> Application.properties(yaml)
                        .forEach(starting.getEnvironment().getPropertySources()::addLast));
        if (yaml.contains("rule-file:")) {
            return application.withPropertyValues("headgate.rule-file.location=" + ruleFile());
        }
        return yaml.contains("rule-table:")
                ? application.withBean("rules", DataSource.class, YamlTest::database)
                : application;
    }

    /** A file with the rule of the quick start. */
    private Path ruleFile() {
        try {
            return Files.writeString(folder.resolve("rules.yml"), Pages.block("quick-start.md", "yaml", "name: api"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A database as the SQL of the page leaves it, with one rule. */
    private static DataSource database() {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:guide;DB_CLOSE_DELAY=-1");
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(Pages.block("spring-boot.md", "sql", "create table"));
            statement.execute("insert into headgate_rule (name, path, limits) values ('api', '/api/**', '100/min')");
            statement.execute(Pages.block("spring-boot.md", "sql", "update headgate_rule"));
            return database;
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** Headgate rejects properties it does not know; of the others somebody must have heard. */
    @ParameterizedTest
    @MethodSource("yaml")
    void namesPropertiesThatExist(Block block) throws IOException {
        Set<String> known = known();
        assertThat(names(block.text()).filter(name -> !name.startsWith("headgate.")))
                .allMatch(known::contains);
    }

    @Test
    void rejectsWhatIsMisspelt() {
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
