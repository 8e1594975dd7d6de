package io.headgate.spring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.servlet.config.annotation.PathMatchConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.util.pattern.PathPatternParser;

/** Known bugs P11, where an application finds its handlers whatever the case of a path. */
@ExtendWith(OutputCaptureExtension.class)
class AnyCaseTest {

    private static final String[] RULES = new RuleLines()
            .rule("orders", "/Orders/**", "limits=2/h", "exclude=/orders/FREE")
            .rule("early", "/early", "limits=1/h", "stage=filter")
            .and(Running.WITHOUT_SPRING_SECURITY, "headgate.ignore-case=true");

    @Test
    void limitsOtherSpellingsOnMvc() {
        try (Running application = Running.servlet(Mvc.class, RULES)) {
            assertLimited(application);
        }
    }

    @Test
    void limitsOtherSpellingsOnWebFlux() {
        try (Running application = Running.reactive(Flux.class, RULES)) {
            assertLimited(application);
        }
    }

    private static void assertLimited(Running application) {
        assertThat(application.get("/orders/new").statusCode()).isEqualTo(200);
        assertThat(application.get("/ORDERS/new").statusCode()).isEqualTo(200);
        assertThat(application.get("/oRdErS/NEW").statusCode()).isEqualTo(429);
        assertThat(application.statuses(3, "/Orders/Free")).containsOnly(200);
        assertThat(application.get("/early").statusCode()).isEqualTo(200);
        assertThat(application.get("/EARLY").statusCode()).isEqualTo(429);
    }

    @Test
    void warnsWhereOtherSpellingsWouldPass(CapturedOutput log) {
        String warning = "set headgate.ignore-case=true";
        Running.servlet(Mvc.class, RULES).close();
        Running.servlet(Plain.class, Running.WITHOUT_SPRING_SECURITY).close();
        assertThat(log).doesNotContain(warning);
        Running.servlet(Mvc.class, Running.WITHOUT_SPRING_SECURITY).close();
        assertThat(log).containsOnlyOnce(warning);
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import(Api.class)
    static class Plain {}

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import(Api.class)
    static class Mvc implements WebMvcConfigurer {

        @Override
        public void configurePathMatch(PathMatchConfigurer configurer) {
            PathPatternParser parser = new PathPatternParser();
            parser.setCaseSensitive(false);
            configurer.setPatternParser(parser);
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import(Api.class)
    static class Flux implements WebFluxConfigurer {

        @Override
        public void configurePathMatching(org.springframework.web.reactive.config.PathMatchConfigurer configurer) {
            configurer.setUseCaseSensitiveMatch(false);
        }
    }

    @RestController
    static class Api {

        @GetMapping({"/orders/new", "/orders/free", "/early"})
        public String served() {
            return "ok";
        }
    }
}
