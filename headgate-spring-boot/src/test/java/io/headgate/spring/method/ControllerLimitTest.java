package io.headgate.spring.method;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.spring.RateLimit;
import io.headgate.spring.Running;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.WebDataBinder;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.InitBinder;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Limits on controllers: what handles requests is limited, and nothing is that only helps. */
@ExtendWith(OutputCaptureExtension.class)
class ControllerLimitTest {

    @Test
    void aLimitOnATypeIsNotOnWhatPreparesItsRequestsOrShowsItsErrors() {
        try (Running application = Running.servlet(Application.class, Running.WITHOUT_SPRING_SECURITY)) {
            assertPreparedAsOften(application);
        }
        try (Running application = Running.reactive(Application.class, Running.WITHOUT_SPRING_SECURITY)) {
            assertPreparedAsOften(application);
        }
    }

    private static void assertPreparedAsOften(Running application) {
        assertThat(application.statuses(4, "/often?n=1")).containsOnly(200);
        assertThat(application.statuses(4, "/failing")).containsOnly(200);
        assertThat(application.statuses(3, "/seldom")).containsExactly(200, 200, 429);
    }

    /** Few write {@code public} on the handlers of a class that is not. */
    @Test
    void aLimitOnATypeIsOnItsHandlersWhoeverMayCallThem(CapturedOutput log) {
        try (Running application = Running.servlet(Application.class, Running.WITHOUT_SPRING_SECURITY)) {
            assertThat(application.statuses(3, "/modest")).containsExactly(200, 200, 429);
            assertThat(log).doesNotContain("GET /modest").doesNotContain("limits nothing");
        }
        try (Running application = Running.reactive(Application.class, Running.WITHOUT_SPRING_SECURITY)) {
            assertThat(application.statuses(3, "/modest")).containsExactly(200, 200, 429);
        }
    }

    /** A limit that is checked on the request needs no proxy, which not every class can have. */
    @Test
    void limitsControllersThatCannotBeProxied(CapturedOutput log) {
        try (Running application = Running.servlet(Application.class, Running.WITHOUT_SPRING_SECURITY)) {
            assertThat(application.statuses(2, "/record")).containsExactly(200, 429);
            assertThat(application.statuses(2, "/final")).containsExactly(200, 429);
            assertThat(application.statuses(2, "/private")).containsOnly(200);
            assertThat(log).doesNotContain("limits nothing");
        }
    }

    /** A parent without requests has limits of its own, which are not those of its child's handlers. */
    @Test
    void limitsHandlersOfAChildByAddress(CapturedOutput log) {
        SpringApplicationBuilder parent = new SpringApplicationBuilder(Parent.class)
                .properties("headgate.store=memory", "spring.main.banner-mode=off", Running.WITHOUT_SPRING_SECURITY)
                .web(WebApplicationType.NONE);
        try (Running child = Running.of(
                parent.child(Application.class).web(WebApplicationType.SERVLET).run("--server.port=0"))) {
            assertThat(child.get("/seldom").headers().firstValue("RateLimit")).isPresent();
            assertThat(child.statuses(2, "/seldom")).containsExactly(200, 429);
            assertThat(log).contains("handlers limited by annotation").contains("not limited: GET /free");
            ((ConfigurableApplicationContext) child.context().getParent()).close();
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Parent {}

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Limited.class, Recorded.class, Finals.class, Free.class})
    static class Application {}

    @RestController
    @RateLimit("2/h")
    static class Limited {

        @ModelAttribute("greeting")
        public String greeting() {
            return "hello";
        }

        @InitBinder
        public void bind(WebDataBinder binder) {}

        @ExceptionHandler(IllegalStateException.class)
        public String failed() {
            return "mended";
        }

        @GetMapping("/often")
        @RateLimit("100/h")
        public String often(@RequestParam int n) {
            return "often " + n;
        }

        @GetMapping("/failing")
        @RateLimit("100/h")
        public String failing() {
            throw new IllegalStateException("on purpose");
        }

        @GetMapping("/modest")
        String modest() {
            return helped();
        }

        String helped() {
            return "modest";
        }

        @GetMapping("/seldom")
        public String seldom() {
            return "seldom";
        }
    }

    @RestController
    record Recorded() {

        @GetMapping("/record")
        @RateLimit("1/h")
        public String record() {
            return "ok";
        }
    }

    @RestController
    static class Finals {

        private final String text = String.valueOf(System.identityHashCode(this));

        @GetMapping("/final")
        @RateLimit("1/h")
        public final String whole() {
            return text.trim();
        }

        @GetMapping("/private")
        @SuppressWarnings("UnusedMethod") // by requests
        private String hidden() {
            return text.trim();
        }
    }

    @RestController
    static class Free {

        @GetMapping("/free")
        public String free() {
            return "ok";
        }
    }
}
