package io.headgate.spring.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.spring.RateLimit;
import io.headgate.spring.RateLimitExceededException;
import io.headgate.spring.Running;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Known bug H11: who answers a denial when an application has advices, by their orders. WebFlux asks them from the lowest order up. */
class DenialAdviceTest {

    private static final String FIRST = "-2147483648";
    private static final String SECOND = "-2147483647";
    private static final String LAST = "2147483647";

    /** What the guide promises, and the two orders that it warns of. */
    @ParameterizedTest
    @CsvSource({
        "general," + SECOND + ",0,429,429",
        "general," + LAST + ",0,429,429",
        "both," + LAST + ",0,429,403",
        "both," + LAST + "," + FIRST + ",429,403",
        "general," + FIRST + ",0,500,500",
        "both," + LAST + "," + LAST + ",500,403",
    })
    void answersDenials(String advices, String general, String own, int elsewhere, int advised) {
        try (Running running = Running.reactive(
                advices.equals("both") ? Both.class : Application.class,
                "general=" + general,
                "own=" + own,
                Running.WITHOUT_SPRING_SECURITY)) {
            assertThat(running.get("/elsewhere").statusCode()).isEqualTo(elsewhere);
            assertThat(running.get("/advised").statusCode()).isEqualTo(advised);
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({WaitExecutor.class, Advised.class})
    static class Application {

        @Bean
        General general(Environment settings) {
            return new General(settings.getRequiredProperty("general", Integer.class));
        }
    }

    /** Among equals who is declared first is asked first. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({OwnFirst.class, Application.class})
    static class Both {}

    static class OwnFirst {

        @Bean
        Own own(Environment settings) {
            return new Own(settings.getRequiredProperty("own", Integer.class));
        }
    }

    @RestController
    static class WaitExecutor {

        @RateLimit(value = "0/h", key = "'all'")
        @GetMapping("/elsewhere")
        public String elsewhere() {
            return "ok";
        }
    }

    @RestController
    static class Advised {

        @RateLimit(value = "0/h", key = "'all'")
        @GetMapping("/advised")
        public String advised() {
            return "ok";
        }
    }

    @RestControllerAdvice
    record General(int getOrder) implements Ordered {

        @ExceptionHandler(Exception.class)
        @ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
        String failed() {
            return "failed";
        }
    }

    @RestControllerAdvice(assignableTypes = Advised.class)
    record Own(int getOrder) implements Ordered {

        @ExceptionHandler(RateLimitExceededException.class)
        @ResponseStatus(HttpStatus.FORBIDDEN)
        String denied() {
            return "own";
        }
    }
}
