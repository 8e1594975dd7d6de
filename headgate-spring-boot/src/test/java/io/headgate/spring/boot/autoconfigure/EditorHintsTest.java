package io.headgate.spring.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.headgate.FailurePolicy;
import io.headgate.Headgate;
import io.headgate.http.response.HeaderFamily;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What editors offer for our properties is what can be written. */
class EditorHintsTest {

    private final JsonNode metadata = metadata();

    @Test
    void offersEveryValueOfAChoice() {
        assertThat(values("headgate.store"))
                .containsExactlyInAnyOrderElementsOf(words(HeadgateProperties.StoreKind.class));
        assertThat(values("headgate.on-store-failure")).containsExactlyInAnyOrderElementsOf(words(FailurePolicy.class));
        assertThat(values("headgate.headers")).containsExactlyInAnyOrderElementsOf(words(HeaderFamily.class));
        assertThat(values("headgate.algorithm"))
                .hasSize(6)
                .allSatisfy(id -> assertThatNoException()
                        .isThrownBy(() -> Headgate.algorithms().get(id)));
    }

    /** Editors complete the properties of a rule or a client from the type of the element, so it has to be named and public. */
    @Test
    void namesTheTypesOfRulesAndClients() {
        Map.of("headgate.rules", RuleProperties.class, "headgate.clients", ClientProperties.class)
                .forEach((name, type) -> {
                    JsonNode list = named("properties", name);
                    assertThat(list.path("type").asString("")).contains(type.getName());
                    assertThat(type).isPublic();
                });
    }

    private List<String> values(String property) {
        JsonNode values = named("hints", property).path("values");
        return StreamSupport.stream(values.spliterator(), false)
                .map(each -> each.path("value").asString(""))
                .toList();
    }

    private JsonNode named(String kind, String name) {
        return StreamSupport.stream(metadata.path(kind).spliterator(), false)
                .filter(each -> each.path("name").asString("").equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + kind + " for " + name));
    }

    private static List<String> words(Class<? extends Enum<?>> type) {
        return Arrays.stream(type.getEnumConstants())
                .map(each -> each.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .toList();
    }

    private static JsonNode metadata() {
        String here = RuleProperties.class.getProtectionDomain().getCodeSource().getLocation()
                + "META-INF/spring-configuration-metadata.json";
        try (InputStream in = java.net.URI.create(here).toURL().openStream()) {
            return JsonMapper.shared().readTree(in);
        } catch (IOException e) {
            throw new AssertionError(here, e);
        }
    }
}
