package io.headgate.spring.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.spring.RuleLines;
import io.headgate.spring.RuleStore;
import io.headgate.spring.Running;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Known bug A10: what pages include several times. Spring forgets after an include what became known only within it. */
class IncludeTest {

    /** What limits the page remembers its parts; where nothing does, each is charged. */
    @ParameterizedTest
    @CsvSource({"/limited, 1", "/early, 1", "/free, 2"})
    void chargesPartsOfLimitedPagesOnce(String page, int charged) {
        try (Running running = Running.servlet(
                Application.class,
                new RuleLines()
                        .rule("limited", "/limited")
                        .rule("early", "/early", "stage=filter")
                        .rule("part", "/part", "limits=5/h")
                        .and(Running.WITHOUT_SPRING_SECURITY))) {
            assertThat(running.get(page).body()).isEqualTo("part part ");
            assertThat(remaining(running)).isEqualTo(5 - charged);
        }
    }

    private static long remaining(Running running) {
        return running.context().getBean(RuleStore.class).get().boundRules().stream()
                .filter(rule -> rule.name().equals("part"))
                .findFirst()
                .orElseThrow()
                .limiter()
                .peek("ip:127.0.0.1")
                .remaining();
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Pages.class)
    static class Application {}

    @RestController
    static class Pages {

        @GetMapping({"/limited", "/early", "/free"})
        void page(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
            request.getRequestDispatcher("/part").include(request, response);
            request.getRequestDispatcher("/part").include(request, response);
        }

        @GetMapping("/part")
        void part(HttpServletResponse response) throws IOException {
            response.getOutputStream().print("part ");
        }
    }
}
