package io.headgate.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a newcomer sees. */
class DemoTest {

    private static Instance demo;

    @BeforeAll
    static void start() {
        demo = Instance.start();
    }

    @AfterAll
    static void stop() {
        demo.close();
    }

    @Test
    void grantsTenAMinuteAndDeniesTheEleventh() throws Exception {
        for (int remaining = 9; remaining >= 0; remaining--) {
            HttpResponse<String> granted = demo.get("/api/public");
            assertThat(granted.statusCode()).isEqualTo(200);
            assertThat(header(granted, "X-RateLimit-Limit")).isEqualTo("10");
            assertThat(header(granted, "X-RateLimit-Remaining")).isEqualTo(String.valueOf(remaining));
            assertThat(granted.headers().firstValue("Retry-After")).isEmpty();
        }

        HttpResponse<String> denied = demo.get("/api/public");

        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(Long.parseLong(header(denied, "Retry-After"))).isBetween(1L, 60L);
        assertThat(header(denied, "RateLimit-Policy")).isEqualTo("\"public\";q=10;w=60");
        assertThat(header(denied, "RateLimit")).startsWith("\"public\";r=0;t=");
        assertThat(header(denied, "X-RateLimit-Remaining")).isEqualTo("0");
        assertThat(header(denied, "Content-Type")).isEqualTo("application/problem+json");
        assertThat(denied.body())
                .contains("\"status\":429", "\"violated-policies\":[\"public\"]", "\"error\":\"Too Many Requests\"");

        HttpResponse<String> forged = demo.get("/api/public", "X-Forwarded-For", "198.51.100.1");
        assertThat(forged.statusCode()).as("nobody told the demo of a proxy").isEqualTo(429);
    }

    @Test
    void limitsEachUserForItself() throws Exception {
        for (int i = 0; i < 5; i++) {
            assertThat(demo.get("/api/user/alice").statusCode()).isEqualTo(200);
        }

        assertThat(demo.get("/api/user/alice").statusCode()).isEqualTo(429);
        assertThat(demo.get("/api/user/bob").statusCode()).isEqualTo(200);
    }

    @Test
    void isStrictAboutLoginsAndTellsOfBothStages() throws Exception {
        HttpResponse<String> first = demo.send("POST", "/api/login");
        assertThat(header(first, "RateLimit")).contains("login", "\"ceiling\";r=");
        assertThat(header(first, "X-RateLimit-Remaining")).isEqualTo("4");

        List<Integer> statuses = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            statuses.add(demo.send("POST", "/api/login").statusCode());
        }
        assertThat(statuses).containsExactly(200, 200, 200, 200, 429);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/health", "/api/metrics"})
    void leavesOperatorsAlone(String path) throws Exception {
        for (int i = 0; i < 20; i++) {
            HttpResponse<String> answer = demo.get(path);
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().firstValue("RateLimit")).isEmpty();
        }
    }

    @Test
    void hasARuleForEveryAlgorithm() throws Exception {
        assertThat(demo.get("/rules").body())
                .contains(
                        "token-bucket",
                        "leaky-bucket",
                        "fixed-window",
                        "sliding-window-log",
                        "sliding-window-counter",
                        "\"sliding-window\"",
                        "shadow");
    }

    private static String header(HttpResponse<String> response, String name) {
        return response.headers().firstValue(name).orElse("(none)");
    }
}
