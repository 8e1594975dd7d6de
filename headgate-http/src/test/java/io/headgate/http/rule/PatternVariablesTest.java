package io.headgate.http.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.http.Seeds;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.util.AntPathMatcher;

class PatternVariablesTest {

    private static final Pattern NAME = Pattern.compile("\\{(\\w+)}");

    private final AntPathMatcher spring = new AntPathMatcher();

    @ParameterizedTest
    @CsvSource({
        "/orders/{id}, /orders/7, id, 7",
        "/orders/{id}/items, //orders/7//items, id, 7",
        "/{tenant}/**, /acme/a/b, tenant, acme",
        "/**/{file}.{ext}, /a/b/c.tar.gz, ext, gz",
        "/a/**/x/{id}/**/y, /a/b/x/7/c/d/y, id, 7",
        "/{a}-{b}-{c}, /1-2-3-4, a, 1-2",
        "/{a}-{b}-{c}, /1-2-3-4, b, 3",
        "/orders/{id}, /orders/7, other,",
        "/orders/{id}, /customers/7, id,",
    })
    void findsWhatAVariableStandsFor(String pattern, String path, String name, String value) {
        assertThat(variables(false, pattern).value(path, name)).isEqualTo(value);
    }

    @Test
    void asksThePatternThatMatches() {
        PatternVariables variables = variables(false, "/a/{x}", "/b/{y}", "/c");

        assertThat(variables.value("/b/7", "y")).isEqualTo("7");
        assertThat(variables.value("/b/7", "x")).isNull();
        assertThat(PatternVariables.of(List.of("/a/*", "/b"), false)).isNull();
    }

    @Test
    void keepsTheCaseOfTheValueWherePatternsIgnoreIt() {
        assertThat(variables(true, "/orders/{orderid}").value("/Orders/Seven", "orderId"))
                .isEqualTo("Seven");
    }

    /** Of all the ways to share out the dashes, only the last that a regular expression tries would fit. */
    @Test
    void findsVariablesInHostilePaths() {
        assertThat(variables(false, "/" + "{x}-".repeat(20) + "{y}.{z}")
                        .value("/" + "-".repeat(20) + "." + "-".repeat(2_000), "z"))
                .isEqualTo("-".repeat(2_000));
        assertThat(variables(false, "/**/" + "{x}-".repeat(20) + "{y}.{z}/**/a")
                        .value("/" + "-".repeat(2_000) + "/" + "-".repeat(20) + ".b/a", "z"))
                .isEqualTo("b");
    }

    @Test
    void findsWhatSpringFinds() {
        Random random = Seeds.random(getClass());
        RandomPatterns patterns = new RandomPatterns(random);
        int found = 0;
        for (int round = Seeds.rounds(50_000); round > 0; round--) {
            String pattern = patterns.pattern();
            String path = patterns.pathLike(pattern);
            List<String> names =
                    NAME.matcher(pattern).results().map(MatchResult::group).toList();
            if (names.isEmpty() || names.stream().distinct().count() < names.size() || !spring.match(pattern, path)) {
                continue;
            }
            PatternVariables variables = variables(false, pattern);
            Map<String, String> values = new HashMap<>();
            for (String name : List.of("x", "y")) {
                String value = variables.value(path, name);
                if (value != null) {
                    values.put(name, value);
                    found++;
                }
            }
            assertThat(values)
                    .as("%s on %s", pattern, path)
                    .isEqualTo(spring.extractUriTemplateVariables(pattern, path));
        }
        assertThat(found).isGreaterThan(Seeds.rounds(50_000) / 100);
    }

    private static PatternVariables variables(boolean anyCase, String... patterns) {
        PatternVariables variables = PatternVariables.of(List.of(patterns), anyCase);
        assertThat(variables).isNotNull();
        return variables;
    }
}
