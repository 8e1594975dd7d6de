package io.headgate.spring.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.spring.RuleLines;
import io.headgate.spring.Running;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

/** Actuator endpoints on a port of their own are limited as on the application's. */
class ManagementPortTest {

    private final HttpClient client = HttpClient.newHttpClient();

    @ParameterizedTest
    @ValueSource(strings = {"filter", "handler"})
    void isLimitedAtEveryStage(String stage) throws Exception {
        try (Running running = Running.servlet(
                Application.class,
                new RuleLines()
                        .rule("info", "/actuator/info", "stage=" + stage, "limits=1/h")
                        .and(
                                "management.server.port=0",
                                "management.endpoints.web.exposure.include=info",
                                Running.WITHOUT_SPRING_SECURITY))) {
            assertThat(ask(running).statusCode()).isEqualTo(200);
            assertThat(ask(running).statusCode()).isEqualTo(429);
        }
    }

    private HttpResponse<Void> ask(Running running) throws Exception {
        String port = running.context().getEnvironment().getProperty("local.management.port");
        URI info = URI.create("http://localhost:" + port + "/actuator/info");
        return client.send(HttpRequest.newBuilder(info).build(), HttpResponse.BodyHandlers.discarding());
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}
}
