package io.headgate.spring.boot.autoconfigure;

import static io.headgate.spring.boot.autoconfigure.Started.assertStops;
import static io.headgate.spring.boot.autoconfigure.Started.rules;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.TimeSource;
import io.headgate.spring.RateLimit;
import io.headgate.spring.RuleStore;
import io.headgate.spring.Running;
import io.headgate.testkit.ManualTime;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** What holds although beans are made only when somebody needs them ({@code spring.main.lazy-initialization}). */
@ExtendWith(OutputCaptureExtension.class)
class LazyInitializationTest {

    private static final String[] RULE = {
        "spring.main.lazy-initialization=true",
        "headgate.rules[0].name=api",
        "headgate.rules[0].path=/api",
        "headgate.rules[0].limits=1/h"
    };

    private final ManualTime time = new ManualTime();
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withInitializer(
                    context -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
            .withConfiguration(AutoConfigurations.of(HeadgateAutoConfiguration.class))
            .withBean(TimeSource.class, () -> time);

    @Test
    void looksForChangesFromTheStart(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("rules.yml");
        Files.writeString(file, written("1/h"));
        application.withPropertyValues("headgate.rule-file.location=" + file).run(context -> {
            assertThat(rules(context.getBean(RuleStore.class)).get(0).limits()).containsExactly("1/h");
            Files.writeString(file, written("200/h"));
            time.advance(Duration.ofSeconds(10)); // to see the change, and that it stands still
            assertThat(rules(context.getBean(RuleStore.class)).get(0).limits()).containsExactly("200/h");
        });
    }

    private static String written(String limits) {
        return "headgate.rules: [{name: api, path: /api, limits: " + limits + "}]";
    }

    @Test
    void stopsOnWrongRules() {
        assertStops(
                application.withPropertyValues(
                        "headgate.rules[0].name=api", "headgate.rules[0].path=/api", "headgate.rules[0].limits=many"),
                "headgate.rules[0], rule 'api'");
    }

    @Test
    void stopsOnUnknownSettings() {
        assertStops(application.withPropertyValues("headgate.rulez=1"), "headgate.rulez");
    }

    @Test
    void limitsReportsAndMeasuresInMvc(CapturedOutput output) {
        try (Running running = Running.servlet(Application.class, RULE)) {
            limitsReportsAndMeasures(running, output);
        }
    }

    @Test
    void limitsReportsAndMeasuresInWebFlux(CapturedOutput output) {
        try (Running running = Running.reactive(Application.class, RULE)) {
            limitsReportsAndMeasures(running, output);
        }
    }

    private static void limitsReportsAndMeasures(Running running, CapturedOutput output) {
        assertThat(output).contains("Headgate: 1 rule in force").contains("not limited: GET /free");
        assertThat(running.statuses(2, "/api")).containsExactly(200, 429);
        assertThat(running.statuses(2, "/own")).containsExactly(200, 429);
        MeterRegistry registry = running.context().getBean(MeterRegistry.class);
        assertThat(registry.get("headgate.decisions")
                        .tags("rule", "api", "outcome", "denied")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("headgate.keys").gauge().value()).isEqualTo(2);
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration(
            excludeName = {
                "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration",
                "org.springframework.boot.security.autoconfigure.web.reactive.ReactiveWebSecurityAutoConfiguration",
                "org.springframework.boot.autoconfigure.security.servlet.SecurityAutoConfiguration",
                "org.springframework.boot.autoconfigure.security.reactive.ReactiveSecurityAutoConfiguration"
            })
    @Import(Api.class)
    static class Application {

        @Bean
        SimpleMeterRegistry meters() {
            return new SimpleMeterRegistry();
        }
    }

    @RestController
    static class Api {

        @GetMapping("/api")
        public String api() {
            return "ok";
        }

        @RateLimit("1/h")
        @GetMapping("/own")
        public String own() {
            return "ok";
        }

        @GetMapping("/free")
        public String free() {
            return "ok";
        }
    }
}
