package io.headgate.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Headgate;
import io.headgate.http.rule.RuleCompiler;
import io.headgate.http.subject.StandardSubjects;
import io.headgate.testkit.ManualTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Spelling a path in another way buys no fresh budget, even if a framework hands it over as it came. */
class PathTricksTest {

    private final ManualTime time = new ManualTime();

    /** Known bugs H8, P01 to P15: a budget goes by the rule and the subject, and no part of it by the raw path. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/login/",
                "//api/login",
                "/api//login",
                "/api/login//",
                "/api/./login",
                "/api/x/../login",
                "/api/%2e%2e/api/login",
                "/api/.%2e/login",
                "/api%2Flogin/../api/login",
                "/api/x%2Flogin",
                "/api/%256Cogin",
                "/api/%6Cogin",
                "/api/%6cogin",
                "/api/login;a=b",
                "/api/login;jsessionid=1",
                "/api/login;",
                "/api/x;y/login",
                "/api/login%3Ba=b",
                "/api/LOGIN",
                "/api/login\\",
                "/api/login%5C",
                "/api/login\u0000",
                "/api/login\r\n",
                "/api/login\t",
                "/api/login ",
                "/api/login.",
                "/api/login.json",
                "/api/login\uFFFD",
                "/api/\uFF4Cogin"
            })
    void staysLimitedUnderAPrefix(String variant) {
        RuleGate gate = gate("/**");
        assertThat(gate.check(TestRequest.get("/api/login")).allowed()).isTrue();

        assertThat(gate.check(TestRequest.get(variant)).allowed()).isFalse();
    }

    /** Known bugs O1, P01 to P13: whoever serves the path may read it as the plain one, wherever the oddity is. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "//api/login",
                "/api//login",
                "///api///login",
                "/api/login/",
                "/api/login//",
                "/./api/login",
                "/api/./login",
                "/api/login/.",
                "/../api/login",
                "/x/../api/login",
                "/api/x/../login",
                "/x/..//api/login",
                "/api/q/r//../../login",
                "/q%2F%2F..%2F../api/login",
                "/api%2Flogin",
                "/api%2flogin",
                "/%2Fapi/login",
                "/api/login%2F",
                "/%2e/api/login",
                "/%252e/api/login",
                "/%25252525252e/api/login",
                "/%%32%65/api/login",
                "/api/%6Cogin",
                "/api%5Clogin",
                "/api\\login",
                "/\\api/login",
                "/api/login\\",
                "/ /api/login",
                "/ api/login",
                "/api/\tlogin",
                "/api/login%20",
                "/\u007fapi/login"
            })
    void staysLimitedUnderItsOwnPattern(String variant) {
        RuleGate gate = gate("/api/login");
        assertThat(gate.check(TestRequest.get("/api/login")).allowed()).isTrue();

        assertThat(gate.check(TestRequest.get(variant)).allowed()).isFalse();
    }

    /** A letter beyond ASCII may be encoded twice, too. */
    @Test
    void decodesLettersOfAllLanguages() {
        RuleGate gate = gate("/caf\u00e9/**");
        assertThat(gate.check(TestRequest.get("/caf%c3%a9/menu")).allowed()).isTrue();
        assertThat(gate.check(TestRequest.get("/caf\u00e9/menu")).allowed()).isFalse();
    }

    /** An exclusion holds only if every reading is excluded. */
    @ParameterizedTest
    @ValueSource(strings = {"/open/health/../secret", "/open/health%2F..%2Fsecret", "/open/secret/../health"})
    void excludesOnlyWhatIsExcludedInEveryReading(String variant) {
        RuleGate gate = gate("/open/**", "/open/health/**");
        assertThat(gate.match(TestRequest.get("/open/health"))).isEmpty();
        assertThat(gate.match(TestRequest.get(variant))).hasSize(1);
    }

    /** Known bugs P11 and others: these are other paths to everybody. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/LOGIN",
                "/api/login.",
                "/api/login..",
                "/api/.login",
                "/api/login.json",
                "/api/login/x",
                "/login",
                "/"
            })
    void isNotAboutOtherPaths(String other) {
        assertThat(gate("/api/login").check(TestRequest.get(other))).isSameAs(Verdict.PASS);
    }

    /** The rules of each reading are checked, and each of them once. */
    @Test
    void chargesTheRulesOfEachReadingOnce() {
        RuleSet rules = compiler()
                .compile(List.of(
                        Rule.named("all")
                                .paths("/**")
                                .match(Rule.Match.ALL)
                                .limits("9/min")
                                .build(),
                        Rule.named("odd").paths("/*/login").limits("9/min").build(),
                        Rule.named("login").paths("/login").limits("9/min").build()));
        RuleGate gate = new RuleGate(() -> rules, List.of());

        assertThat(gate.match(TestRequest.get("/./login")))
                .extracting(BoundRule::name)
                .containsExactly("all", "odd", "login");
    }

    /** Known bug M01: a request without its body is the same request. */
    @Test
    void chargesHeadAsGet() {
        RuleGate gate = gate("/api/login");
        assertThat(gate.check(TestRequest.of("HEAD", "/api/login")).allowed()).isTrue();

        assertThat(gate.check(TestRequest.get("/api/login")).allowed()).isFalse();
    }

    private RuleCompiler compiler() {
        return new RuleCompiler(
                StandardSubjects.builder().build(),
                LedgerFactory.of(Headgate.builder().timeSource(time).build()),
                time,
                Map.of(),
                Map.of());
    }

    private RuleGate gate(String pattern, String... exclude) {
        RuleSet rules = compiler()
                .compile(List.of(Rule.named("login")
                        .paths(pattern)
                        .exclude(exclude)
                        .methods("GET")
                        .limits("1/min")
                        .build()));
        return new RuleGate(() -> rules, List.of());
    }
}
