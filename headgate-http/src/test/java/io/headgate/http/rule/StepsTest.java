package io.headgate.http.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Headgate;
import io.headgate.TimeSource;
import io.headgate.http.BoundRule;
import io.headgate.http.LedgerFactory;
import io.headgate.http.Rule;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What patterns cost, counted in questions put to their segments: at most one length times the other. */
class StepsTest {

    /** The questions that may be put for each pair of a segment of the pattern and one of what it is compared with. */
    private static final int PER_PAIR = 6;

    private int steps;
    private int most = Integer.MAX_VALUE;

    @ParameterizedTest
    @ValueSource(ints = {3, 10, 12, 40, 150})
    void comparesPatternsInPolynomialTime(int doubles) {
        AntPattern wide = counted("/**/a*".repeat(doubles) + "/x");
        AntPattern narrow = counted("/ab".repeat(doubles * 2) + "/y");
        allow(wide, doubles * 2 + 1);
        assertThat(wide.covers(narrow)).isFalse();
        allow(wide, doubles * 2 + 1);
        assertThat(counted("/**/a*".repeat(doubles)).covers(counted("/ab".repeat(doubles * 2))))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 10, 12, 40, 150})
    void matchesHostilePathsInPolynomialTime(int doubles) {
        AntPattern pattern = counted("/**/a*".repeat(doubles) + "/x");
        for (String path :
                List.of("/ab".repeat(2_000), "/ab".repeat(2_000) + "/x/y", "/ab/c".repeat(1_000), "/".repeat(4_000))) {
            allow(pattern, 2_001);
            assertThat(pattern.matches(path)).as(path).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 10, 12, 40, 150})
    void findsRulesOfHostilePathsInPolynomialTime(int doubles) {
        AntPattern pattern = counted("/**/a*".repeat(doubles) + "/x*");
        AntPattern branch = counted("/**/a*/**/b*".repeat(doubles / 2) + "/x*");
        Trie trie = Trie.of(List.of(candidate(0, pattern), candidate(1, branch)));
        for (String path : List.of("/ab".repeat(2_000), "/ab/ba".repeat(1_000), "/ab/ba".repeat(1_000) + "/x/y")) {
            steps = 0;
            most = PER_PAIR * 2_002 * (pattern.segments().length + branch.segments().length);
            assertThat(trie.match("GET", path)).as(path).isEmpty();
        }
    }

    /** Here the questions are put to the pieces of a segment, about each character. */
    @ParameterizedTest
    @ValueSource(ints = {3, 10, 12, 40, 150})
    void findsVariablesInPolynomialTime(int dashes) {
        SegmentVariables variables =
                new SegmentVariables(SegmentVariables.of("{x}-".repeat(dashes) + "{y}.{z}").pieces().stream()
                        .map(piece -> (SegmentVariables.Piece) new CountedPiece(piece))
                        .toList());
        String text = "-".repeat(dashes) + "." + "-".repeat(2_000);
        steps = 0;
        most = 2 * variables.pieces().size() * (text.length() + 1);
        assertThat(variables.value(text, text, 0, text.length(), "z")).isEqualTo("-".repeat(2_000));
        assertThat(steps).isPositive();
    }

    /** The rule set of which compilation did not end. */
    @Test
    void compilesExclusionsOfManyDoubleStars() {
        RuleCompiler compiler = new RuleCompiler(
                new RuleCompilerTest.KnownSubjects(),
                LedgerFactory.of(Headgate.builder().build()),
                TimeSource.system(),
                Map.of(),
                Map.of());
        String longest = "/**/a".repeat(AntPattern.MAX_LENGTH / 5 - 1);
        assertThat(compiler.compile(List.of(Rule.named("api")
                                .paths("/a".repeat(AntPattern.MAX_LENGTH / 2 - 1) + "/b")
                                .exclude(longest + "/c")
                                .limits("1/s")
                                .build()))
                        .boundRules())
                .hasSize(1);
    }

    private void allow(AntPattern pattern, int others) {
        steps = 0;
        most = PER_PAIR * pattern.segments().length * (others + 1);
    }

    private static Candidate candidate(int place, AntPattern pattern) {
        Rule rule =
                Rule.named("rule" + place).paths(pattern.text()).limits("1/s").build();
        BoundRule boundRule = new RuleCompiler(
                        new RuleCompilerTest.KnownSubjects(),
                        LedgerFactory.of(Headgate.builder().build()),
                        TimeSource.system(),
                        Map.of(),
                        Map.of())
                .compile(List.of(rule))
                .boundRules()
                .get(0);
        return Candidate.of(place, rule, boundRule, pattern);
    }

    /** The pattern, of segments that count and end the test when it is enough. */
    private AntPattern counted(String text) {
        return new AntPattern(
                text,
                Arrays.stream(AntPattern.parse(text).segments())
                        .map(segment -> (Segment) new Counted(segment.glob()))
                        .toList());
    }

    private void step() {
        if (++steps > most) {
            throw new AssertionError("more than " + most + " steps");
        }
    }

    private final class CountedPiece extends SegmentVariables.Piece {

        CountedPiece(SegmentVariables.Piece piece) {
            super(piece.glob(), piece.name());
        }

        @Override
        int after(String text, int at, int to) {
            step();
            return super.after(text, at, to);
        }
    }

    private final class Counted extends Segment {

        Counted(String glob) {
            super(glob);
        }

        @Override
        boolean anyNumber() {
            step();
            return super.anyNumber();
        }

        @Override
        boolean matches(String path, int from, int to) {
            step();
            return super.matches(path, from, to);
        }

        @Override
        boolean covers(Segment other) {
            step();
            return super.covers(other);
        }
    }
}
