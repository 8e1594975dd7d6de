package io.headgate.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Every request has a virtual thread of its own, and the counts are exact. */
@EnabledForJreRange(min = JRE.JAVA_21)
class VirtualThreadsTest {

    @Test
    void allowExactlyWhatTheRuleSays() {
        try (Running running = Running.servlet(
                Application.class,
                new RuleLines()
                        .rule("virtual", "/virtual", "subject=global", "limits=20/h")
                        .and("spring.threads.virtual.enabled=true", Running.WITHOUT_SPRING_SECURITY))) {
            List<CompletableFuture<String>> answers = Stream.generate(() -> CompletableFuture.supplyAsync(
                            () -> running.get("/virtual").body()))
                    .limit(60)
                    .toList();
            List<String> bodies = answers.stream().map(CompletableFuture::join).toList();
            assertThat(Collections.frequency(bodies, "virtual")).isEqualTo(20);
            assertThat(bodies).doesNotContain("platform");
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Handler.class)
    static class Application {}

    @RestController
    static class Handler {

        @GetMapping("/virtual")
        String thread() throws ReflectiveOperationException {
            boolean virtual = (Boolean) Thread.class.getMethod("isVirtual").invoke(Thread.currentThread());
            return virtual ? "virtual" : "platform";
        }
    }
}
