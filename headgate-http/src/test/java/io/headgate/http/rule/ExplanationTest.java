package io.headgate.http.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.headgate.Headgate;
import io.headgate.TimeSource;
import io.headgate.http.BoundRule;
import io.headgate.http.Explanation;
import io.headgate.http.Explanation.Role;
import io.headgate.http.LedgerFactory;
import io.headgate.http.Rule;
import io.headgate.http.RuleSet;
import io.headgate.http.subject.StandardSubjects;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.ListAssert;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

/** Why a request meets the rules it meets. That it says what really happens is proven with {@link RuleSetTest}. */
class ExplanationTest {

    private final RuleCompiler compiler = new RuleCompiler(
            StandardSubjects.builder().build(),
            LedgerFactory.of(Headgate.builder().build()),
            TimeSource.system(),
            Map.of(),
            Map.of());

    @Test
    void saysOfARuleWithoutAPathWhomItLimits() {
        RuleSet rules = compile(Rule.named("backend").limits("10/min"), rule("all", "/**"));

        assertFindings(rules.explain("GET", "/a"))
                .containsExactly(
                        tuple("all", Role.FIRST, "/**", "the only rule that matches"),
                        tuple(
                                "backend",
                                Role.OTHER_PATH,
                                null,
                                "it has no path: only methods that name it are limited by it"));
    }

    @Test
    void saysOfEveryRuleWhatBecameOfIt() {
        RuleSet rules = compile(
                rule("all", "/**"),
                rule("api", "/api/**").exclude("/api/health"),
                rule("login", "/api/login").methods("POST"),
                rule("ceiling", "/api/**").match(Rule.Match.ALL),
                rule("shadow", "/api/{x}").behavior(Rule.Behavior.SHADOW),
                rule("wider", "/api/**").exclude("/api/health").behavior(Rule.Behavior.SHADOW),
                rule("gone", "/api/**").behavior(Rule.Behavior.OFF),
                rule("early", "/api/login").stage(Rule.Stage.FILTER));

        assertFindings(rules.explain("POST", "/api/login"))
                .containsExactly(
                        tuple("early", Role.FIRST, "/api/login", "the only rule that matches"),
                        tuple("ceiling", Role.BESIDE, "/api/**", "match is all: checked whichever rule comes first"),
                        tuple("login", Role.FIRST, "/api/login", "comes first of 3 rules that match"),
                        tuple("shadow", Role.SHADOW, "/api/{x}", "behavior is shadow: decides, but is not enforced"),
                        tuple(
                                "all",
                                Role.GIVES_WAY,
                                "/**",
                                "rule 'api' comes first: /api/** is more specific than /**"),
                        tuple(
                                "api",
                                Role.GIVES_WAY,
                                "/api/**",
                                "rule 'login' comes first: /api/login is more specific than /api/**"),
                        tuple(
                                "wider",
                                Role.GIVES_WAY,
                                "/api/**",
                                "rule 'shadow' comes first: /api/{x} is more specific than /api/**"),
                        tuple("gone", Role.OFF, null, "behavior is off"));
        assertFindings(rules.explain("GET", "/api/health"))
                .containsExactly(
                        tuple("ceiling", Role.BESIDE, "/api/**", "match is all: checked whichever rule comes first"),
                        tuple("all", Role.FIRST, "/**", "the only rule that matches"),
                        tuple("shadow", Role.SHADOW, "/api/{x}", "behavior is shadow: decides, but is not enforced"),
                        tuple("api", Role.EXCLUDED, "/api/**", "excluded by /api/health"),
                        tuple("login", Role.OTHER_PATH, null, "the path matches none of [/api/login]"),
                        tuple("wider", Role.EXCLUDED, "/api/**", "excluded by /api/health"),
                        tuple("early", Role.OTHER_PATH, null, "the path matches none of [/api/login]"),
                        tuple("gone", Role.OFF, null, "behavior is off"));
        assertFindings(rules.explain("GET", "/api/login"))
                .contains(tuple("login", Role.OTHER_METHOD, "/api/login", "the method is not one of [POST]"));
    }

    /** The gate checks them, too. */
    @Test
    void saysWhichRulesAreMetByAnotherReadingOfThePath() {
        RuleSet rules = compile(
                rule("all", "/**"),
                rule("login", "/api/login"),
                rule("orders", "/api/orders"),
                rule("early", "/api/login").stage(Rule.Stage.FILTER));

        String read = "checked because the path may also be read as /api/login: ";
        Explanation explanation = rules.explain("GET", "/api/login/");
        assertThat(explanation.path()).isEqualTo("/api/login/");
        assertFindings(explanation)
                .containsExactly(
                        tuple("early", Role.FIRST, "/api/login", read + "the only rule that matches"),
                        tuple("all", Role.FIRST, "/**", "the only rule that matches"),
                        tuple("login", Role.FIRST, "/api/login", read + "comes first of 2 rules that match"),
                        tuple("orders", Role.OTHER_PATH, null, "the path matches none of [/api/orders]"));
        for (String path : List.of("/api/login", "/api/login/", "/api/x/../login", "/api/%6cogin", "/")) {
            assertThat(rules.explain("GET", path).checked())
                    .extracting(Rule::name)
                    .as(path)
                    .isEqualTo(Stream.of(Rule.Stage.FILTER, Rule.Stage.HANDLER)
                            .flatMap(stage -> rules.match(stage, "GET", path).stream())
                            .map(BoundRule::name)
                            .toList());
        }
    }

    @Test
    void saysWhatDecidedBetweenTwo() {
        RuleSet rules = compile(
                rule("urgent", "/**").methods("POST").priority(5),
                rule("one", "/a/{x}").methods("GET", "POST"),
                rule("two", "/a/{y}"));

        assertFindings(rules.explain("POST", "/a/b"))
                .contains(tuple(
                        "one", Role.GIVES_WAY, "/a/{x}", "rule 'urgent' comes first: its priority 5 is higher than 0"));
        assertFindings(rules.explain("GET", "/a/b"))
                .contains(tuple(
                        "two",
                        Role.GIVES_WAY,
                        "/a/{y}",
                        "rule 'one' comes first: it is equally specific and was written earlier"));
    }

    /** A rule with two patterns is one rule, and never gives way to itself. */
    @Test
    void speaksOfARuleOnceWhateverItsPatterns() {
        RuleSet rules = compile(Rule.named("both").paths("/a/**", "/a/b").limits("1/min"), rule("other", "/a/*"));

        assertFindings(rules.explain("GET", "/a/b"))
                .extracting(each -> each.toList().get(1))
                .containsExactly(Role.FIRST, Role.GIVES_WAY);
        assertFindings(rules.explain("GET", "/a/c"))
                .extracting(each -> each.toList().get(1))
                .containsExactly(Role.FIRST, Role.GIVES_WAY);
        assertThat(rules.explain("GET", "/a/b").checked())
                .extracting(Rule::name)
                .containsExactly("both");
        assertThat(rules.explain("GET", "/a/c").checked())
                .extracting(Rule::name)
                .containsExactly("other");
    }

    @Test
    void saysNothingWhereThereAreNoRules() {
        assertThat(RuleSet.EMPTY.explain("GET", "/").findings()).isEmpty();
    }

    private static ListAssert<Tuple> assertFindings(Explanation explanation) {
        return assertThat(explanation.findings().stream()
                .map(each -> tuple(each.rule().name(), each.role(), each.pattern(), each.why()))
                .toList());
    }

    private RuleSet compile(Rule.Builder... rules) {
        return compiler.compile(List.of(rules).stream().map(Rule.Builder::build).toList());
    }

    private static Rule.Builder rule(String name, String path) {
        return Rule.named(name).paths(path).limits("10/min");
    }
}
