package io.headgate.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.spring.RateLimit;
import io.headgate.spring.boot.autoconfigure.ClientProperties;
import io.headgate.spring.boot.autoconfigure.RuleProperties;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.DefaultValue;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The page of settings has each of them, with its default, and no others. */
class SettingsPageTest {

    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`]+)` \\| (?:`([^`]+)` )?\\| \\S.* \\|$");

    @Test
    void hasEverySettingOfTheApplication() throws IOException {
        Map<String, String> settings = new LinkedHashMap<>();
        for (JsonNode setting : settings()) {
            String usual = setting.path("defaultValue").asString("");
            settings.put(setting.path("name").asString(), usual.replaceAll("[\\[\\]]", ""));
        }

        assertThat(rows("The application")).containsExactlyInAnyOrderEntriesOf(settings);
    }

    @Test
    void hasEveryWordOfARule() {
        Map<String, String> words = Stream.of(RuleProperties.class.getDeclaredConstructors()[0].getParameters())
                .collect(Collectors.toMap(
                        word -> DataObjectPropertyName.toDashedForm(word.getName()), SettingsPageTest::usual));

        assertThat(rows("A rule")).containsExactlyInAnyOrderEntriesOf(words);
    }

    @Test
    void hasEveryWordOfAClient() {
        Map<String, String> words = Stream.of(ClientProperties.class.getDeclaredConstructors()[0].getParameters())
                .collect(Collectors.toMap(
                        word -> DataObjectPropertyName.toDashedForm(word.getName()), SettingsPageTest::usual));

        assertThat(rows("A client")).containsExactlyInAnyOrderEntriesOf(words);
    }

    @Test
    void hasEveryAttributeOfTheAnnotation() {
        Map<String, String> attributes = Stream.of(RateLimit.class.getDeclaredMethods())
                .collect(Collectors.toMap(Method::getName, SettingsPageTest::usual));

        assertThat(rows("An annotation")).containsExactlyInAnyOrderEntriesOf(attributes);
    }

    /** Editors show one at a time, with nothing around it. */
    @Test
    void isExplainedToEditorsInSentences() throws IOException {
        assertThat(settings())
                .allSatisfy(setting ->
                        assertThat(setting.path("description").asString("")).matches("[A-Z].+\\."));
    }

    /** The rows of a table: what each is about, and its default. */
    private static Map<String, String> rows(String section) {
        String text = Stream.of(
                        Pages.read(Pages.ROOT.resolve("docs/guide/settings.md")).split("(?m)^## "))
                .filter(part -> part.startsWith(section + "\n"))
                .findFirst()
                .orElseThrow();
        Map<String, String> rows = new LinkedHashMap<>();
        Matcher row = ROW.matcher(text);
        while (row.find()) {
            rows.put(row.group(1), row.group(2) == null ? "" : row.group(2));
        }
        return rows;
    }

    /** What the starter tells editors of. */
    private static List<JsonNode> settings() throws IOException {
        List<JsonNode> settings = new ArrayList<>();
        for (URL metadata : Collections.list(
                RateLimit.class.getClassLoader().getResources("META-INF/spring-configuration-metadata.json"))) {
            try (InputStream in = metadata.openStream()) {
                JsonMapper.shared().readTree(in).path("properties").forEach(setting -> settings.add(setting));
            }
        }
        settings.removeIf(setting -> !setting.path("sourceType").asString("").startsWith("io.headgate."));
        return settings;
    }

    private static String usual(Parameter word) {
        DefaultValue usual = word.getAnnotation(DefaultValue.class);
        return usual == null ? "" : String.join(", ", usual.value());
    }

    private static String usual(Method attribute) {
        Object usual = attribute.getDefaultValue();
        return usual instanceof String[] texts ? String.join(", ", texts) : String.valueOf(usual);
    }
}
