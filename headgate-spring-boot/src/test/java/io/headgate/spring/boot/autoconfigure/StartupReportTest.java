package io.headgate.spring.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.spring.RateLimit;
import io.headgate.spring.line.Line;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The complaint "nothing is limited and nothing says why" is answered before anybody makes it. */
@ExtendWith(OutputCaptureExtension.class)
class StartupReportTest {

    private static final String[] RULE = {
        "headgate.rules[0].name=api", "headgate.rules[0].path=/api/**", "headgate.rules[0].limits=1/s"
    };

    private static final String LINE = "Headgate: 1 rule in force and 2 handlers limited by annotation,"
            + " kept in memory by this instance; not limited: /any, GET /free, POST /free";

    private static final AutoConfigurations OURS =
            AutoConfigurations.of(HeadgateAutoConfiguration.class, HeadgateMethodAutoConfiguration.class);

    /** Handlers with limits of their own are limited, and nobody asks for the page of errors. */
    @Test
    void namesTheHandlersOfMvcThatAreNotLimited() {
        new WebApplicationContextRunner()
                .withConfiguration(OURS)
                .withConfiguration(AutoConfigurations.of(
                        HeadgateServletAutoConfiguration.class, Line.DISPATCHER_SERVLET, Line.WEB_MVC, Line.ERROR_MVC))
                .withBean(Api.class)
                .withPropertyValues(RULE)
                .run(context ->
                        assertThat(context.getBean(StartupReport.class).line()).isEqualTo(LINE));
    }

    /** A rule in shadow mode limits nobody. */
    @Test
    void countsNoShadowsAsLimits() {
        mvc("headgate.rules[0].behavior=shadow")
                .run(context -> assertThat(context.getBean(StartupReport.class).line())
                        .contains("1 rule in force (1 in shadow mode) and", "not limited: ", "GET /api/orders/{id}"));
    }

    /** A handler that names no methods takes them all, and a rule for some of them lets the others pass. */
    @Test
    void namesTheMethodsThatARuleLetsPass() {
        mvc("headgate.rules[0].path=/any", "headgate.rules[0].methods=GET,DELETE")
                .run(context -> assertThat(context.getBean(StartupReport.class).line())
                        .contains("POST|PUT|PATCH /any", "GET /free"));
    }

    @Test
    void countsHandlersThatAnnotationsLimit() {
        mvc("headgate.rules[0].behavior=off")
                .run(context -> assertThat(context.getBean(StartupReport.class).line())
                        .startsWith(
                                "Headgate: 0 rules in force, 1 off and 2 handlers limited by annotation, kept in "));
    }

    @Test
    void countsOtherMethodsThatAnnotationsLimit() {
        mvc().withBean(Service.class)
                .run(context -> assertThat(context.getBean(StartupReport.class).line())
                        .contains(" and 2 handlers and 2 other methods limited by annotation, "));
        new ApplicationContextRunner()
                .withConfiguration(OURS)
                .withBean(Service.class)
                .run(context -> assertThat(context.getBean(StartupReport.class).line())
                        .startsWith("Headgate: 0 rules in force and 2 methods limited by annotation, kept in "));
    }

    /** A rule without a path is for methods, and this one has none. */
    @Test
    void warnsOfARuleThatNeitherPathsNorMethodsUse(CapturedOutput output) {
        new ApplicationContextRunner()
                .withConfiguration(OURS)
                .withBean(OfRule.class)
                .withPropertyValues("headgate.rules.backend.limits=1/s", "headgate.rules.forgotten.limits=1/s")
                .run(context -> {
                    context.getBean(StartupReport.class).onApplicationEvent(null);
                    assertThat(output)
                            .contains(
                                    "rule 'forgotten' limits nothing: it has no path",
                                    "@RateLimit(rule = \"forgotten\")")
                            .doesNotContain("rule 'backend' limits nothing");
                });
    }

    static class OfRule {

        @RateLimit(rule = "backend")
        public void call() {}
    }

    /** What no proxy can intercept is not limited, whatever is written on it. */
    @Test
    void countsNoMethodThatCannotBeLimited() {
        new ApplicationContextRunner()
                .withConfiguration(OURS)
                .withBean(Unreachable.class)
                .run(context -> assertThat(context.getBean(StartupReport.class).line())
                        .startsWith("Headgate: 0 rules in force and 1 method limited by annotation, kept in "));
        mvc().withBean(HiddenHandler.class)
                .run(context -> assertThat(context.getBean(StartupReport.class).line())
                        .contains(" and 2 handlers limited by annotation,", "GET /hidden"));
    }

    static class Unreachable {

        @RateLimit("1/s")
        public void reachable() {}

        @RateLimit("1/s")
        @SuppressWarnings("UnusedMethod") // only looked at
        private void hidden() {}

        @RateLimit("1/s")
        public final void fixed() {}

        @RateLimit("1/s")
        public static void shared() {}
    }

    @RestController
    static class HiddenHandler {

        @RateLimit(value = "1/s", key = "#who")
        @GetMapping("/hidden")
        @SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // only looked at
        private void hidden(@RequestParam("who") String who) {}
    }

    static class Service {

        @RateLimit("1/s")
        @RateLimit(value = "9/h", key = "#who")
        public void twice(String who) {}

        @RateLimit("1/s")
        public void once() {}

        public void never() {}
    }

    private static WebApplicationContextRunner mvc(String... properties) {
        return new WebApplicationContextRunner()
                .withConfiguration(OURS)
                .withConfiguration(AutoConfigurations.of(
                        HeadgateServletAutoConfiguration.class, Line.DISPATCHER_SERVLET, Line.WEB_MVC))
                .withBean(Api.class)
                .withPropertyValues(RULE)
                .withPropertyValues(properties);
    }

    @Test
    void namesTheHandlersOfWebFluxThatAreNotLimited() {
        new ReactiveWebApplicationContextRunner()
                .withConfiguration(OURS)
                .withConfiguration(AutoConfigurations.of(HeadgateWebFluxAutoConfiguration.class, Line.WEB_FLUX))
                .withBean(Api.class)
                .withPropertyValues(RULE)
                .run(context ->
                        assertThat(context.getBean(StartupReport.class).line()).isEqualTo(LINE));
    }

    @RestController
    static class Api {

        @GetMapping("/api/orders/{id}")
        public void byRule() {}

        @RateLimit("1/s")
        @GetMapping("/own")
        public void onRequest() {}

        @RateLimit(value = "1/s", key = "#who")
        @GetMapping("/own-key")
        public void onCall(@RequestParam("who") String who) {}

        @GetMapping("/free")
        public void free() {}

        @PostMapping("/free")
        public void alsoFree() {}

        @RequestMapping("/any")
        public void any() {}
    }
}
