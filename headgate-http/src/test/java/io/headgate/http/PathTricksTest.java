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

    /** CATALOGUE H8, P01 to P15: a budget goes by the rule and the subject, and no part of it by the raw path. */
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
        Gate gate = gate("/**");
        assertThat(gate.check(TestRequest.get("/api/login")).allowed()).isTrue();

        assertThat(gate.check(TestRequest.get(variant)).allowed()).isFalse();
    }

    /** CATALOGUE P02: several slashes are one, wherever they are. */
    @ParameterizedTest
    @ValueSource(strings = {"//api/login", "/api//login", "///api///login"})
    void staysLimitedUnderItsOwnPattern(String variant) {
        Gate gate = gate("/api/login");
        assertThat(gate.check(TestRequest.get("/api/login")).allowed()).isTrue();

        assertThat(gate.check(TestRequest.get(variant)).allowed()).isFalse();
    }

    /** CATALOGUE P01, P11: to the framework these are other paths, and so they are to a rule that spells out one. */
    @ParameterizedTest
    @ValueSource(strings = {"/api/login/", "/api/LOGIN"})
    void isNotAboutOtherPaths(String other) {
        assertThat(gate("/api/login").check(TestRequest.get(other))).isSameAs(Verdict.PASS);
    }

    /** CATALOGUE M01: a request without its body is the same request. */
    @Test
    void chargesHeadAsGet() {
        Gate gate = gate("/api/login");
        assertThat(gate.check(TestRequest.of("HEAD", "/api/login")).allowed()).isTrue();

        assertThat(gate.check(TestRequest.get("/api/login")).allowed()).isFalse();
    }

    private Gate gate(String pattern) {
        RuleSet rules = new RuleCompiler(
                        StandardSubjects.builder().build(),
                        LimiterFactory.of(Headgate.builder().timeSource(time).build()),
                        time,
                        Map.of(),
                        Map.of())
                .compile(List.of(Rule.named("login")
                        .paths(pattern)
                        .methods("GET")
                        .limits("1/min")
                        .build()));
        return new Gate(() -> rules, Rule.Stage.HANDLER, List.of());
    }
}
