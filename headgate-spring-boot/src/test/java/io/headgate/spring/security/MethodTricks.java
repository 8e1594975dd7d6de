package io.headgate.spring.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.headgate.spring.Wire;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Another method, or another way of sending requests, is no way around a limit. */
interface MethodTricks extends Target {

    /** Known bug M01: HEAD takes from the budget of GET. */
    @Test
    default void head() {
        String client = Target.stranger();
        assertThat(ask(client, "HEAD /api/login").status()).isEqualTo(200);
        isLimited("GET", ask(client, "GET /api/login"));
        isLimited("HEAD", ask(client, "HEAD /api/login"));
    }

    /** Known bug M02: what looks like a preflight reaches no handler, even one that takes every method. */
    @ParameterizedTest
    @ValueSource(strings = {"GET", "OPTIONS", "nonsense", ""})
    default void fakePreflights(String method) {
        String client = Target.stranger();
        spend(client, "GET /any");
        Wire.Answer answer =
                ask(client, "OPTIONS /any", "Origin: http://page", "Access-Control-Request-Method: " + method);
        assertThat(answer.body()).doesNotContain(SERVED);
    }

    /** Known bug M03: a method that nobody knows, or that is spelt in another way. */
    @ParameterizedTest
    @ValueSource(
            strings = {"PUT", "PATCH", "DELETE", "POST", "OPTIONS", "TRACE", "FOO", "get", "Get", "G3T", "PROPFIND"})
    default void otherMethods(String method) {
        String client = Target.stranger();
        spend(client, "GET /any");
        Wire.Answer answer = ask(client, method + " /any");
        if (method.equals("TRACE")
                && answer.status() == 200) { // Jetty allows it, and the servlet echoes without a handler
            assertThat(answer.body()).startsWith("TRACE /any");
        } else {
            isHeldOff(method, answer);
        }
        spend(client, "GET /api/login");
        assertThat(ask(client, method + " /api/login").body()).doesNotContain(SERVED);
    }

    /** Known bug M04: nobody believes what method a header or a parameter says it is. */
    @ParameterizedTest
    @ValueSource(strings = {"X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override", "_method"})
    default void overriddenMethods(String header) {
        String client = Target.stranger();
        spend(client, "GET /api/login");
        isHeldOff(header, ask(client, "POST /api/login?_method=GET", header + ": GET", "Content-Length: 0"));
        isLimited(header, ask(client, "GET /api/login?_method=POST", header + ": POST"));
    }

    /** Known bug M08: requests that come all at once are still one after the other. */
    @Test
    default void pipelinedRequests() {
        String request = "GET /api/login HTTP/1.1\r\nHost: target\r\n\r\n";
        try (Wire wire = Wire.from(Target.stranger(), application().port())) {
            wire.write(request.repeat(5));
            assertThat(wire.read().status()).isEqualTo(200);
            for (int i = 1; i < 5; i++) {
                isLimited("request " + i, wire.read());
            }
        }
    }

    /** Known bug M09: hanging up gives nothing back. Who does it before the request was looked at was not served either. */
    @Test
    default void clientsThatHangUp() {
        String client = Target.stranger();
        try (Wire wire = Wire.from(client, application().port())) {
            wire.write("GET /any HTTP/1.1\r\nHost: target\r\n\r\n");
            await().until(() -> remaining("any", "ip:" + client) == 0);
        }
        isLimited("after hanging up", ask(client, "GET /any"));
    }

    /** Half a request is none. */
    @Test
    default void halfRequests() {
        String client = Target.stranger();
        for (String half : new String[] {"GET /api/lo", "GET /api/login HTTP/1.1\r\nHost: tar"}) {
            try (Wire wire = Wire.from(client, application().port())) {
                wire.write(half);
            }
        }
        spend(client, "GET /api/login");
    }
}
