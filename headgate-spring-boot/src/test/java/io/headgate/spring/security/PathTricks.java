package io.headgate.spring.security;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Another spelling of a path reaches no handler, or is limited like the plain one. */
interface PathTricks extends Target {

    /** Known bugs P01, P02: slashes. */
    @ParameterizedTest
    @ValueSource(
            strings = {"/api/login/", "//api/login", "/api//login", "/api/login//", "///api///login", "/api/login/?"})
    default void slashes(String path) {
        tryOnLogin(path);
    }

    /** Known bugs P03, P04, P05: dots, plain and encoded. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/./api/login",
                "/api/./login",
                "/api/login/.",
                "/api/x/../login",
                "/../api/login",
                "/x/../api/login",
                "/api/%2e/login",
                "/api/x/%2e%2e/login",
                "/api/x/.%2e/login",
                "/api/x/%2E./login",
                "/%2e/api/login",
                "/.;x/api/login",
                "/%2e;x/api/login",
                "/%252e/api/login",
                "/api/login/%2e",
                "/api/login/..;/login",
                "/x//../api/login",
                "/x%2f%2f..%2fapi/login",
                "/.%5capi/login",
                "/x/..%5capi/login"
            })
    default void dots(String path) {
        tryOnLogin(path);
    }

    /** Known bugs P06, P07: slashes and percent signs, encoded. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api%2Flogin",
                "/api%2flogin",
                "%2Fapi/login",
                "/api/login%2F",
                "/%2fapi/login",
                "/%2Fapi%2Flogin%2F",
                "/api/%256Cogin",
                "/api%252Flogin"
            })
    default void encodedSeparators(String path) {
        tryOnLogin(path);
    }

    /** Known bug P08: an encoded letter is that letter to a handler, and so it is to a rule. */
    @ParameterizedTest
    @ValueSource(strings = {"/api/%6Cogin", "/api/%6cogin", "/%61pi/login", "/%61%70%69/%6c%6f%67%69%6e"})
    default void encodedLetters(String path) {
        String client = Target.stranger();
        spend(client, "GET /api/login");
        isLimited(path, ask(client, "GET " + path));
    }

    /** Known bugs P09, P10: parameters of segments. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/login;a=b",
                "/api/login;jsessionid=1",
                "/api/login;",
                "/api;x/login",
                "/;x/api/login",
                "/api/login;a=b;c=d/",
                "/api/login;%2e%2e",
                "/api/login%3B",
                "/api/login%3Ba=b",
                "/api/login/;/"
            })
    default void parameters(String path) {
        tryOnLogin(path);
    }

    /** Known bugs P11, P14: case and suffixes. */
    @ParameterizedTest
    @ValueSource(
            strings = {"/api/LOGIN", "/API/login", "/Api/Login", "/api/login.json", "/api/login.", "/api/login.html;x"})
    default void caseAndSuffixes(String path) {
        tryOnLogin(path);
    }

    /** Known bugs P12, P13: backslashes, control characters, blanks. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api\\login",
                "/api/login\\",
                "/api%5Clogin",
                "/api/login%5C",
                "/%5Capi/login",
                "/%20api/login",
                "/%20/api/login",
                "/%7fapi/login",
                "/api/login%00",
                "/api/login%00.json",
                "/api/login\u0000",
                "/api/login%0d%0a",
                "/api/login%0A",
                "/api/login\t",
                "/api/login%09",
                "/api/login%20",
                "/api/login ",
                " /api/login"
            })
    default void controlCharacters(String path) {
        tryOnLogin(path);
    }

    /** Known bug P15: invalid UTF-8, overlong forms, full-width letters. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/login%C0%80",
                "/api/%C1%ACogin",
                "/api%C0%AFlogin",
                "/api/login%FF",
                "/api/%EF%BD%8Cogin",
                "/api/login\u00ff",
                "/api/log\u00efn",
                "/api/%u006cogin",
                "/api/%ZZlogin",
                "/api/login%"
            })
    default void otherEncodings(String path) {
        tryOnLogin(path);
    }

    /** Known bug P16: a query is no part of a path. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/login?",
                "/api/login?a=b",
                "/api/login??",
                "/api/login?/../../other",
                "/api/login?%00",
                "/api/login?;x",
                "/api/login?a=b&a=c#x"
            })
    default void queries(String path) {
        String client = Target.stranger();
        spend(client, "GET /api/login");
        isHeldOff(path, ask(client, "GET " + path));
    }

    /** Known bug P17: a target with a scheme and a host, and hosts of all kinds. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://target/api/login",
                "http://other.example/api/login",
                "HTTP://TARGET:80/api/login",
                "https://target/api/login",
                "http://user:password@target/api/login",
                "http:///api/login",
                "http://target//api/login",
                "api/login",
                "*"
            })
    default void targetsOfOtherForms(String target) {
        tryOnLogin(target);
    }

    /** Known bug P17: who the host is does not matter to a limit. */
    @ParameterizedTest
    @ValueSource(
            strings = {"Host: other", "Host: 127.0.0.1", "Host: target:1", "Host:", "Host: a\r\nHost: b", "Host: a b"})
    default void hosts(String host) {
        String client = Target.stranger();
        spend(client, "GET /api/login");
        isHeldOff(host, ask(client, "GET /api/login", host));
    }

    /** Known bug H8: under a prefix every spelling that is served is limited. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/deep/y",
                "/deep/",
                "/deep",
                "//deep/y",
                "/deep//y",
                "/deep;x/y",
                "/%64eep/y",
                "/x/../deep/y",
                "/deep/../deep/y",
                "/deep/%2e%2e/y",
                "/deep/y;a=b",
                "/deep/y%2Fz",
                "/deep%2Fy",
                "/deep/y%00",
                "/DEEP/y",
                "/deep/y?z"
            })
    default void prefixes(String path) {
        String client = Target.stranger();
        spend(client, "GET /deep/x");
        isHeldOff(path, ask(client, "GET " + path));
    }

    /** Nobody gets to a limited path by way of one that is excluded. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/open/health/../secret",
                "/open/health/%2e%2e/secret",
                "/open/health;/../secret",
                "/open/health%2F..%2Fsecret",
                "/open/health/..;/secret",
                "/open/secret;/open/health",
                "/open/secret?/open/health",
                "/open/./secret",
                "/open/secret/../health/../secret"
            })
    default void exclusions(String path) {
        String client = Target.stranger();
        assertThat(ask(client, "GET /open/health").body()).startsWith(SERVED);
        assertThat(ask(client, "GET /open/health").body()).startsWith(SERVED);
        spend(client, "GET /open/secret");
        isHeldOff(path, ask(client, "GET " + path));
    }

    /** Known bug P19: a handler with two paths has one budget of its own. */
    @Test
    default void twoMappings() {
        String client = Target.stranger();
        spend(client, "GET /two/a");
        isLimited("/two/b", ask(client, "GET /two/b"));
    }

    private void tryOnLogin(String path) {
        String client = Target.stranger();
        spend(client, "GET /api/login");
        isHeldOff(path, ask(client, "GET " + path));
        assertThat(ask(Target.stranger(), "GET /api/login").status()).isEqualTo(200);
    }
}
