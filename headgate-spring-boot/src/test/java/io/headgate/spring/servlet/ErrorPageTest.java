package io.headgate.spring.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.spring.RuleLines;
import io.headgate.spring.Running;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportSelector;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseBody;

/** Known bugs A10, M06: having an error shown is free, whoever has it shown: the container, or Spring Boot within one of others. */
class ErrorPageTest {

    private static final String[] RULES = new RuleLines()
            .rule("api", "/api/**", "limits=100/h")
            .rule("rest", "/**", "limits=2/h")
            .and(Running.WITHOUT_SPRING_SECURITY);

    @ParameterizedTest
    @ValueSource(classes = {Jar.class, War.class})
    void showingErrorsIsFree(Class<?> application) {
        try (Running running = Running.servlet(application, RULES)) {
            assertThat(running.statuses(4, "/api/broken")).containsOnly(500);
            assertThat(running.get("/api/broken").body()).contains("\"path\":\"/api/broken\"");
            assertThat(running.statuses(3, "/rest")).containsExactly(200, 200, 429);
        }
    }

    /** What an application does about an exception is not showing an error because it began with one. */
    @ParameterizedTest
    @ValueSource(classes = {Jar.class, War.class})
    void goingOnElsewhereAfterAnExceptionIsNot(Class<?> application) {
        try (Running running = Running.servlet(application, RULES)) {
            assertThat(running.statuses(3, "/api/redeemed")).containsExactly(200, 200, 429);
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Pages.class)
    static class Jar {}

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Pages.class, WithinAnotherContainer.class})
    static class War {}

    /** What {@code SpringBootServletInitializer} adds. */
    static class WithinAnotherContainer implements ImportSelector {

        @Override
        public String[] selectImports(AnnotationMetadata importing) {
            return new String[] {"org.springframework.boot.web.servlet.support.ErrorPageFilterConfiguration"};
        }
    }

    @Controller
    static class Pages {

        @GetMapping("/api/broken")
        void broken() {
            throw new IllegalStateException("on purpose");
        }

        @GetMapping("/api/redeemed")
        void redeemed() {
            throw new IllegalArgumentException("on purpose");
        }

        @ExceptionHandler
        String elsewhere(IllegalArgumentException thrown) {
            return "forward:/rest";
        }

        @GetMapping("/rest")
        @ResponseBody
        String rest() {
            return "ok";
        }
    }
}
