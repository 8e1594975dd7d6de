package io.headgate.http.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.headgate.http.Seeds;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.http.server.PathContainer;
import org.springframework.util.AntPathMatcher;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/** MISSION D5: what matches and what comes first, beside Spring's own answers. */
class AntPatternTest {

    private final AntPathMatcher spring = new AntPathMatcher();

    @ParameterizedTest
    @CsvSource({
        "/api/**, /api, true",
        "/api/**, /api/, true",
        "/api/**, /api/a/b, true",
        "/api/**, /apis, false",
        "/api/*, /api/a, true",
        "/api/*, /api, false",
        "/api/*, /api/, true",
        "/api/*, /api/a/b, false",
        "/api/login, /api/login, true",
        "/api/login, /api/login/, false",
        "/api/login, //api///login, true",
        "/api/login, /API/login, false",
        "/orders/{id}, /orders/7, true",
        "/orders/{id}/items, /orders/7/items, true",
        "/orders/{id}, /orders/7/items, false",
        "/a?c, /abc, true",
        "/a?c, /ac, false",
        "/**/x, /x, true",
        "/**/x, /a/b/x, true",
        "/a/**/b/**/c, /a/b/c, true",
        "/a/**/b/**/c, /a/1/b/2/3/c, true",
        "/a/**/b/**/c, /a/1/2/3/c, false",
        "/**, /, true",
        "/, /, true",
        "/, /a, false",
        "/*.html, /index.html, true",
        "/api, api, false",
    })
    void matchesLikeAnt(String pattern, String path, boolean matches) {
        assertThat(AntPattern.parse(pattern).matches(path)).isEqualTo(matches).isEqualTo(spring.match(pattern, path));
    }

    @Test
    void matchesWhatSpringMatches() {
        Random random = Seeds.random(getClass());
        RandomPatterns patterns = new RandomPatterns(random);
        int matches = 0;
        int rounds = Seeds.rounds(50_000);
        for (int round = 0; round < rounds; round++) {
            if (round % 20_000 == 0) {
                spring.setCachePatterns(false);
            }
            String pattern = patterns.pattern();
            String path = random.nextBoolean() ? patterns.path() : patterns.pathLike(pattern);
            boolean expected = spring.match(pattern, path);
            matches += expected ? 1 : 0;
            assertThat(AntPattern.parse(pattern).matches(path))
                    .as("%s on %s", pattern, path)
                    .isEqualTo(expected);
        }
        assertThat(matches).as("rounds that matched").isBetween(rounds / 10, rounds * 9 / 10);
    }

    @Test
    void putsFirstWhatSpringPutsFirst() {
        Random random = Seeds.random(getClass());
        RandomPatterns patterns = new RandomPatterns(random);
        for (int round = 0; round < Seeds.rounds(50_000); round++) {
            String one = patterns.pattern();
            String other = patterns.pattern();
            String path = random.nextInt(4) == 0 ? one : random.nextInt(4) == 0 ? other : patterns.path();
            assertThat(Integer.signum(AntPattern.parse(one).compare(AntPattern.parse(other), path)))
                    .as("%s and %s on %s", one, other, path)
                    .isEqualTo(Integer.signum(spring.getPatternComparator(path).compare(one, other)));
        }
    }

    /** A pattern that covers another matches whatever that one matches. */
    @Test
    void coversOnlyWhatItMatches() {
        Random random = Seeds.random(getClass());
        RandomPatterns patterns = new RandomPatterns(random);
        int covered = 0;
        for (int round = 0; round < Seeds.rounds(200_000); round++) {
            AntPattern wide = AntPattern.parse(patterns.pattern());
            AntPattern narrow = AntPattern.parse(patterns.pattern());
            if (wide.covers(narrow)) {
                assertThat(wide.matches(narrow.sample()))
                        .as("%s covers %s", wide, narrow)
                        .isTrue();
                for (int i = 0; i < 5; i++) {
                    String path = patterns.pathLike(narrow.text());
                    if (narrow.matches(path)) {
                        covered++;
                        assertThat(wide.matches(path))
                                .as("%s covers %s on %s", wide, narrow, path)
                                .isTrue();
                    }
                }
            }
        }
        assertThat(covered).as("paths compared").isGreaterThan(1_000);
        assertThat(AntPattern.parse("/**").covers(AntPattern.parse("/a/*"))).isTrue();
        assertThat(AntPattern.parse("/{x}/b").covers(AntPattern.parse("/{y}/b")))
                .isTrue();
        assertThat(AntPattern.parse("/a/*").covers(AntPattern.parse("/a/**"))).isFalse();
    }

    /** Where {@code PathPattern}, which finds handlers, and Ant patterns differ: mostly it is the rule that matches more. */
    @ParameterizedTest
    @CsvSource({
        "/api/login, //api//login",
        "/api/*, /api//a",
        "/{x}, //a",
        "/a/*/, /a/",
        "/*/, /",
    })
    void matchesMoreThanAPathPattern(String pattern, String path) {
        assertThat(AntPattern.parse(pattern).matches(path)).isTrue();
        assertThat(pathPattern(pattern).matches(PathContainer.parsePath(path))).isFalse();
    }

    /** On clean paths, as handlers are found by, a rule matches at least what a {@code PathPattern} of that text matches. */
    @Test
    void matchesWhateverAPathPatternMatches() {
        Random random = Seeds.random(getClass());
        RandomPatterns patterns = new RandomPatterns(random);
        int matches = 0;
        for (int round = 0; round < Seeds.rounds(30_000); round++) {
            String pattern = patterns.pattern().replaceAll("/+", "/").replaceAll("\\*\\*+(?!$)", "*");
            String path = patterns.pathLike(pattern)
                    .replaceAll("/+", "/")
                    .replaceAll("(.)/$", "$1")
                    .replace("\uD83D\uDE00", "d");
            PathPattern handler;
            try {
                handler = pathPattern(pattern);
            } catch (RuntimeException e) {
                continue; // not a path pattern at all, such as one with a variable twice
            }
            if (!path.equals("/") && handler.matches(PathContainer.parsePath(path))) {
                matches++;
                assertThat(AntPattern.parse(pattern).matches(path))
                        .as("%s on %s", pattern, path)
                        .isTrue();
            }
        }
        assertThat(matches).isGreaterThan(5_000);
    }

    /** The differences the other way round: empty segments, and what {@code ?} is beyond U+FFFF. */
    @Test
    void matchesLessThanAPathPatternWhereNobodyLooks() {
        assertThat(AntPattern.parse("/*/{x}*/**").matches("/a/")).isFalse();
        assertThat(pathPattern("/*/{x}*/**").matches(PathContainer.parsePath("/a/")))
                .isTrue();

        assertThat(AntPattern.parse("/?").matches("/\uD83D\uDE00")).isTrue();
        assertThat(pathPattern("/?").matches(PathContainer.parsePath("/\uD83D\uDE00")))
                .isFalse();
        assertThat(pathPattern("/??").matches(PathContainer.parsePath("/\uD83D\uDE00")))
                .isTrue();
    }

    /** A path of thousands of segments against a pattern made for backtracking. */
    @Test
    void staysFastOnPathsMadeToHurt() {
        AntPattern pattern = AntPattern.parse("/**/a/**/a/**/a/**/a/**/a/**/b");
        String path = "/a".repeat(4_000);
        assertThat(pattern.matches(path)).isFalse();
        assertThat(new Segment("*a*a*a*a*a*a*b").matches("a".repeat(8_000), 0, 8_000))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "api/**   | pattern 'api/**' must start with '/'",
                "/a/{b    | pattern '/a/{b' opens a '{' and never closes it",
                "/a/b}    | pattern '/a/b}' closes a '}' it never opened",
                "/a/{}    | pattern '/a/{}' has '{}'; only a name may be in braces, and '**' matches any number of segments",
                "/{*rest} | pattern '/{*rest}' has '{*rest}'; only a name may be in braces, and '**' matches any number of segments",
                "/{n:\\d} | pattern '/{n:\\d}' has '{n:\\d}'; only a name may be in braces, and '**' matches any number of segments",
            })
    void rejectsWhatItDoesNotUnderstand(String pattern, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AntPattern.parse(pattern))
                .withMessage(message);
    }

    private static PathPattern pathPattern(String pattern) {
        return PathPatternParser.defaultInstance.parse(pattern);
    }
}
