package io.headgate.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The application of the quick start on every line of Spring Boot that the guide names, as somebody builds it who knows the starter only:
 * the parent of the line, the bill of materials, the starter, one rule.
 */
class LinesIT {

    private static final Pattern PORT = Pattern.compile("(?:Tomcat|Netty) started on port (\\d+)");
    private static final String POM = Pages.block("quick-start.md", "xml", "<project");

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "spring-boot-3.version, 3.5, spring-boot-starter-web",
        "spring-boot-3.version, 3.5, spring-boot-starter-webflux",
        "spring-boot-4.0.version, 4.0, spring-boot-starter-webmvc",
        "spring-boot.version, 4.1, spring-boot-starter-webmvc"
    })
    void deniesTheEleventhRequestAndTellsItsRules(String property, String line, String web) throws IOException {
        String version = MavenProject.find("<" + property + ">([^<]+)<", "pom.xml");
        assertThat(version).startsWith(line + ".");
        String pom = POM.replaceFirst("<version>[^<]+</version>", "<version>" + version + "</version>")
                .replace("spring-boot-starter-webmvc", web)
                .replace(
                        "  </dependencies>\n</project>",
                        "  <dependency><groupId>org.springframework.boot</groupId>"
                                + "<artifactId>spring-boot-starter-actuator</artifactId></dependency></dependencies></project>");
        assertThat(pom).contains(version, web, "actuator");
        MavenProject project = MavenProject.in(folder, pom);
        QuickStartIT.writeClasses("docs/guide/quick-start.md", "main", project);
        project.write(
                "src/main/resources/application.yml",
                Pages.block("quick-start.md", "yaml", "name: api").replace("10/min", "10/h")
                        + "\nmanagement.endpoints.web.exposure.include: health,ratelimits,metrics"
                        + "\nmanagement.endpoint.health.show-details: always\n");

        try (MavenProject.Run application = project.run(QuickStartIT.START_APPLICATION)) {
            String root = "http://localhost:" + application.find(PORT);
            for (int i = 0; i < 10; i++) {
                assertThat(ask(root + "/api/hello").statusCode()).isEqualTo(200);
            }
            HttpResponse<String> denied = ask(root + "/api/hello");
            assertThat(denied.statusCode()).isEqualTo(429);
            assertThat(denied.body()).contains("\"violated-policies\":[\"api\"]");
            for (String header : List.of("Retry-After", "RateLimit", "RateLimit-Policy", "X-RateLimit-Remaining")) {
                assertThat(denied.headers().firstValue(header)).as(header).isPresent();
            }
            assertThat(denied.headers().firstValue("Content-Type")).hasValue("application/problem+json");
            assertThat(ask(root + "/actuator/ratelimits").body()).contains("\"name\":\"api\"");
            assertThat(ask(root + "/actuator/ratelimits/api?subject=127.0.0.1").body())
                    .contains("\"allowed\":false");
            assertThat(ask(root + "/actuator/health").body())
                    .contains("\"headgate\":{", "\"details\":{\"store\":\"MemoryStore\"}");
            assertThat(ask(root + "/actuator/metrics/headgate.decisions").body())
                    .contains("\"value\":11.0");
        }
    }

    /**
     * Asks on a connection of its own: on a kept one, Reactor Netty 1.2.18 now and then loses the request after an answer of the
     * actuator, also with {@code headgate.enabled=false}.
     */
    private static HttpResponse<String> ask(String uri) {
        return Application.get(HttpClient.newHttpClient(), uri);
    }
}
