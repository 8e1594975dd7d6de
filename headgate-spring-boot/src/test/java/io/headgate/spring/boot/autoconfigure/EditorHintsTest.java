package io.headgate.spring.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.headgate.FailurePolicy;
import io.headgate.Headgate;
import io.headgate.http.response.HeaderFamily;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.json.JsonParserFactory;

/** What editors offer for our properties is what can be written. */
class EditorHintsTest {

    private final Map<String, Object> metadata = metadata();

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
                    assertThat(String.valueOf(named("properties", name).get("type")))
                            .contains(type.getName());
                    assertThat(type).isPublic();
                });
    }

    private List<String> values(String property) {
        return ((List<?>) named("hints", property).get("values"))
                .stream().map(each -> (String) ((Map<?, ?>) each).get("value")).toList();
    }

    private Map<?, ?> named(String kind, String name) {
        return ((List<?>) metadata.get(kind))
                .stream()
                        .map(each -> (Map<?, ?>) each)
                        .filter(each -> name.equals(each.get("name")))
                        .findFirst()
                        .orElseThrow(() -> new AssertionError("no " + kind + " for " + name));
    }

    private static List<String> words(Class<? extends Enum<?>> type) {
        return Arrays.stream(type.getEnumConstants())
                .map(each -> each.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .toList();
    }

    private static Map<String, Object> metadata() {
        String code = String.valueOf(
                RuleProperties.class.getProtectionDomain().getCodeSource().getLocation());
        String here =
                (code.endsWith(".jar") ? "jar:" + code + "!/" : code) + "META-INF/spring-configuration-metadata.json";
        try (InputStream in = java.net.URI.create(here).toURL().openStream()) {
            return JsonParserFactory.getJsonParser().parseMap(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new AssertionError(here, e);
        }
    }
}
