package io.headgate.spring.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.http.Checkpoint;
import io.headgate.spring.RuleLines;
import io.headgate.spring.RuleStore;
import io.headgate.spring.Running;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** CATALOGUE A3 between stages: who is refused before the handler gets back what the filter has charged. */
class StagesTest {

    private static final String[] RULES = new RuleLines()
            .rule("front", "/two-stages/**", "stage=filter", "limits=5/h", "subject=global", "match=all")
            .rule("tried", "/two-stages/**", "stage=filter", "limits=5/h", "subject=global", "behavior=shadow")
            .rule("back", "/two-stages/limited", "limits=1/h", "subject=global")
            .rule("closed", "/two-stages/closed", "limits=0/h", "subject=global")
            .and(SecuritySuite.WITHOUT_SPRING_SECURITY);

    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void givesBackWhatTheFilterChargedWhenTheHandlerIsNotReached(String type) {
        BiFunction<Class<?>, String[], Running> start = type.equals("servlet") ? Running::servlet : Running::reactive;
        try (Running running = start.apply(Application.class, RULES)) {
            assertThat(running.statuses(4, "/two-stages/limited")).containsExactly(200, 429, 429, 429);

            assertThat(List.of(remaining(running, "front"), remaining(running, "tried")))
                    .containsExactly(4L, 4L);
        }
    }

    /** What was done is paid for, whatever becomes of the request after that. */
    @Test
    void keepsWhatWasChargedWhenAHandlerHasForwardedToWhatIsRefused() {
        try (Running running = Running.servlet(Forwarding.class, RULES)) {
            assertThat(running.get("/two-stages/forward").statusCode()).isEqualTo(429);

            assertThat(remaining(running, "front")).isEqualTo(4);
        }
    }

    private static long remaining(Running running, String rule) {
        return running.context().getBean(RuleStore.class).get().checkpoints().stream()
                .filter(point -> point.rule().name().equals(rule))
                .map(Checkpoint::limiter)
                .findFirst()
                .orElseThrow()
                .peek("global:*")
                .remaining();
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Limited.class)
    static class Application {}

    @RestController
    static class Limited {

        @GetMapping("/two-stages/limited")
        String limited() {
            return "ok";
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Forwards.class)
    static class Forwarding {}

    @RestController
    static class Forwards {

        @GetMapping("/two-stages/closed")
        String closed() {
            return "never";
        }

        @GetMapping("/two-stages/forward")
        void forward(HttpServletRequest request, HttpServletResponse response) throws Exception {
            request.getRequestDispatcher("/two-stages/closed").forward(request, response);
        }
    }
}
