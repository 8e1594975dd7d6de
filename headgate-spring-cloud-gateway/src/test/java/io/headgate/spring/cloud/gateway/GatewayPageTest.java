package io.headgate.spring.cloud.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.spring.cloud.gateway.Gateway.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.cloud.gateway.route.RouteLocator;

/** Every piece of YAML on the guide's page is the configuration of a gateway that starts, with all its routes. */
class GatewayPageTest {

    private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

    @TempDir
    Path folder;

    static List<String> yaml() throws IOException {
        String page = Files.readString(Path.of("../docs/guide/gateway.md"));
        return YAML.matcher(page).results().map(block -> block.group(1)).toList();
    }

    private Gateway start(Kind kind, String yaml) throws IOException {
        Path file = Files.writeString(folder.resolve("page.yml"), yaml);
        return Gateway.start(kind, List.of("spring.config.import=" + file.toUri()), RequestRateLimiterTest.Keys.class);
    }

    @ParameterizedTest
    @MethodSource("yaml")
    void startsAGateway(String yaml) throws IOException {
        try (Gateway gateway = start(Kind.WEBFLUX, yaml)) {
            List<String> routes = gateway.context()
                    .getBean(RouteLocator.class)
                    .getRoutes()
                    .map(route -> route.getId())
                    .collectList()
                    .blockOptional()
                    .orElseThrow();
            assertThat(routes)
                    .isNotEmpty()
                    .containsExactlyInAnyOrderElementsOf(Pattern.compile("- id: (\\S+)")
                            .matcher(yaml)
                            .results()
                            .map((MatchResult id) -> id.group(1))
                            .toList());
        }
    }

    @Test
    void theFilterIsTheSameOnTheOtherGateway() throws IOException {
        String yaml = yaml().stream()
                .filter(each -> each.contains("RateLimit=partners"))
                .findFirst()
                .orElseThrow();
        try (Gateway gateway = start(Kind.MVC, yaml.replace("webflux", "webmvc"))) {
            assertThat(gateway.get("/none").statusCode()).isEqualTo(404);
        }
        assertThat(yaml()).hasSizeGreaterThan(2);
    }
}
