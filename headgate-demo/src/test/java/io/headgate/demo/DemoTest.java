package io.headgate.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.testkit.ManualTime;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Over a real socket, on a port that is free. */
class DemoTest {

    private final ManualTime time = new ManualTime();
    private final HttpClient client = HttpClient.newHttpClient();
    private Demo demo;

    @BeforeEach
    void start() throws IOException {
        demo = new Demo(0, time);
    }

    @AfterEach
    void stop() {
        demo.close();
    }

    @Test
    void grantsTenAMinuteAndRefusesTheEleventh() throws Exception {
        for (int remaining = 9; remaining >= 0; remaining--) {
            HttpResponse<String> granted = get("/api/public");
            assertThat(granted.statusCode()).isEqualTo(200);
            assertThat(header(granted, "X-RateLimit-Limit")).isEqualTo("10");
            assertThat(header(granted, "X-RateLimit-Remaining")).isEqualTo(String.valueOf(remaining));
            assertThat(granted.headers().firstValue("Retry-After")).isEmpty();
        }
        time.advance(Duration.ofMillis(100));

        HttpResponse<String> refused = get("/api/public");

        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(header(refused, "Retry-After")).as("59.9 s, rounded up").isEqualTo("60");
        assertThat(header(refused, "X-RateLimit-Limit")).isEqualTo("10");
        assertThat(header(refused, "X-RateLimit-Remaining")).isEqualTo("0");
        assertThat(header(refused, "Content-Type")).isEqualTo("application/json");
        assertThat(refused.body())
                .isEqualTo("{\"error\":\"too_many_requests\","
                        + "\"message\":\"More than 10/min. Try again in 60 s.\",\"retryAfter\":60}");
    }

    /** CATALOGUE H9, R03. */
    @Test
    void waitingRetryAfterIsEnoughAndASecondLessIsNot() throws Exception {
        spend();
        Duration wait = Duration.ofSeconds(Long.parseLong(header(get("/api/public"), "Retry-After")));

        time.advance(wait.minusSeconds(1));
        assertThat(get("/api/public").statusCode()).isEqualTo(429);
        time.advance(Duration.ofSeconds(1));
        assertThat(get("/api/public").statusCode()).isEqualTo(200);
    }

    @Test
    void retryAfterIsNeverZero() throws Exception {
        spend();
        time.advance(Duration.ofMinutes(1).minus(Duration.ofNanos(1_000)));
        assertThat(header(get("/api/public"), "Retry-After")).isEqualTo("1");
    }

    @Test
    void statusIsNotLimited() throws Exception {
        spend();
        for (int i = 0; i < 20; i++) {
            assertThat(get("/api/status").statusCode()).isEqualTo(200);
        }
    }

    /** CATALOGUE P01, P02, P09, P11, P16: no other spelling reaches the endpoint without being counted. */
    @ParameterizedTest
    @ValueSource(
            strings = {"/api/public/", "//api/public", "/api/public;a=b", "/API/public", "/api/public?", "/api/public?x"
            })
    void noOtherSpellingOfThePathIsAWayAround(String path) throws Exception {
        spend();
        assertThat(get(path).statusCode()).isIn(404, 429);
    }

    /** CATALOGUE M01. */
    @Test
    void headCountsAsGet() throws Exception {
        HttpRequest head = HttpRequest.newBuilder(uri("/api/public"))
                .method("HEAD", HttpRequest.BodyPublishers.noBody())
                .build();
        assertThat(header(client.send(head, HttpResponse.BodyHandlers.ofString()), "X-RateLimit-Remaining"))
                .isEqualTo("9");
        assertThat(header(get("/api/public"), "X-RateLimit-Remaining")).isEqualTo("8");
    }

    @Test
    void portIsAnArgument() {
        assertThat(Demo.port(new String[] {})).isEqualTo(8083);
        assertThat(Demo.port(new String[] {"--port", "9090"})).isEqualTo(9090);
        assertThatThrownBy(() -> Demo.port(new String[] {"--port", "http"}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--port http");
    }

    private void spend() throws Exception {
        for (int i = 0; i < 10; i++) {
            assertThat(get("/api/public").statusCode()).isEqualTo(200);
        }
    }

    private HttpResponse<String> get(String path) throws Exception {
        return client.send(HttpRequest.newBuilder(uri(path)).build(), HttpResponse.BodyHandlers.ofString());
    }

    private URI uri(String path) {
        return URI.create("http://localhost:" + demo.port() + path);
    }

    private static String header(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElseThrow();
    }
}
