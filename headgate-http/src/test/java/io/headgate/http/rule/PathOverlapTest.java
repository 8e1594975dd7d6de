package io.headgate.http.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.http.Seeds;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which rules may be about which handlers. */
class PathOverlapTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/api/**        | /api/orders            | true",
                "/api/**        | /api                   | true",
                "/api/**        | /orders                | false",
                "/API/**        | /api/orders            | false",
                "/ctx/api/**    | /api/orders            | false",
                "/ctx/api/**    | /{a}/{b}               | true",
                "/ctx/api/x     | /{a}/{b}               | false",
                "/a/b/c         | /{*path}               | true",
                "/a/b/c         | /a/{*path}             | true",
                "/b/c           | /a/{*path}             | false",
                "/orders/7      | /orders/{id:[0-9]{1,3}} | true",
                "/orders/7/x    | /orders/{id:[0-9]{1,3}} | false",
                "/*.html        | /index.*               | true",
                "/*.html        | /*.css                 | false",
                "/**/x          | /a/**                  | true",
                "/              | ''                     | true",
                "/*             | /                      | true",
                "/api/*         | /api/                  | true",
                "/a             | a                      | true",
                "/api/x/        | /api/x                 | false",
                "/api/x/        | /api/x/                | true",
                "/api/x/        | /api/**                | true",
                "/api/x/        | /api/{*path}           | true",
                "/api/x/        | /api/{x}               | false",
                "/api/*/        | /api/x                 | false",
                "/api/          | /api/*                 | true",
                "/api/**/       | /api/x                 | true",
                "/api/x         | /api/x/                | true",
            })
    void tellsWhetherAPathMayMatchBoth(String pattern, String template, boolean possible) {
        assertThat(PathOverlap.possible(pattern, template)).isEqualTo(possible);
    }

    /** What matches both is never denied to exist. */
    @Test
    void deniesOnlyWhatDoesNotExist() {
        Random random = Seeds.random(getClass());
        RandomPatterns patterns = new RandomPatterns(random);
        int both = 0;
        for (int round = 0; round < Seeds.rounds(100_000); round++) {
            AntPattern one = AntPattern.parse(patterns.pattern());
            AntPattern other = AntPattern.parse(patterns.pattern());
            String path = patterns.pathLike(random.nextBoolean() ? one.text() : other.text());
            if (!path.endsWith("/") && one.matches(path) && other.matches(path)) {
                both++;
                assertThat(PathOverlap.possible(one.text(), other.text()))
                        .as("%s and %s on %s", one, other, path)
                        .isTrue();
            }
        }
        assertThat(both).isGreaterThan(1_000);
    }
}
