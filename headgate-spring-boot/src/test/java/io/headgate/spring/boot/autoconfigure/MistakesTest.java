package io.headgate.spring.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.spring.RateLimit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * All that a user sees who makes a mistake. Each is a story in {@code mistakes.md}: what is written, and every line above INFO that the
 * application prints, which is really started.
 */
@ExtendWith(OutputCaptureExtension.class)
class MistakesTest {

    private static final Pattern STORY = Pattern.compile("(?ms)^## (.*?)\\n(.*?)(?=^## |\\z)");
    private static final Pattern WITHOUT = Pattern.compile("Without `([\\w.]+)`");
    private static final Pattern FILE = Pattern.compile("(?ms)^```yaml ?(\\S*)\\n(.*?)^```$");
    private static final Pattern SAID = Pattern.compile("(?ms)^```text\\n(.*?)^```$");

    /** What Spring prints of a context that cannot be refreshed. Of our own exception alone it names no others. */
    private static final Pattern REFRESH =
            Pattern.compile("(?ms)^WARN Exception encountered during context initialization -"
                    + " cancelling refresh attempt: io\\.headgate\\.[\\w.]*InvalidSettingException: .*?^(?=ERROR )");

    /** The level and the message, which may have several lines. */
    private static final Pattern LINE =
            Pattern.compile("(?ms)^\\d{4}-\\S+ +([A-Z]+) \\d+ --- .*? : (.*?)(?=^\\d{4}-\\S+ +[A-Z]+ \\d+ --- |\\z)");

    private static final Path STORIES = Path.of("src/test/resources/mistakes.md");

    @TempDir
    private Path folder;

    private record Story(String title, String text) {

        static Story of(MatchResult found) {
            return new Story(found.group(1), found.group(2));
        }

        String first(Pattern pattern, String otherwise) {
            Matcher found = pattern.matcher(text);
            return found.find() ? found.group(1) : otherwise;
        }

        boolean isToldDuringRefresh() {
            return text.contains("during the refresh");
        }
    }

    @TestFactory
    Stream<DynamicTest> areExplained(CapturedOutput output) throws IOException {
        List<Story> stories = STORY.matcher(Files.readString(STORIES))
                .results()
                .map(Story::of)
                .toList();
        assertThat(stories).hasSizeGreaterThan(20);
        return stories.stream()
                .map(story -> DynamicTest.dynamicTest(story.title(), () -> {
                    String printed = start(story, output);
                    if (story.isToldDuringRefresh()) {
                        assertThat(printed).as("unnecessary").containsPattern(REFRESH);
                        printed = REFRESH.matcher(printed).replaceFirst("");
                    }
                    assertThat(printed).isEqualTo(story.first(SAID, ""));
                }));
    }

    /** What the application printed, in the words of the story. */
    private String start(Story story, CapturedOutput output) throws IOException {
        Files.createDirectories(folder);
        for (MatchResult file : FILE.matcher(story.text()).results().toList()) {
            String name = file.group(1).isEmpty() ? "application.yml" : file.group(1);
            Files.writeString(folder.resolve(name), file.group(2).replace("/etc/shop", folder.toString()));
        }
        int before = output.getAll().length();
        String without = story.first(WITHOUT, "");
        ClassLoader own = Thread.currentThread().getContextClassLoader();
        ClassLoader less = without.isEmpty() ? own : new FilteredClassLoader(without);
        Thread.currentThread().setContextClassLoader(less);
        try {
            SpringApplication application = new SpringApplication(new DefaultResourceLoader(less), Shop.class);
            application
                    .run(
                            "--server.port=0",
                            "--spring.main.banner-mode=off",
                            "--spring.config.location=file:" + folder + "/")
                    .close();
        } catch (RuntimeException e) {
            // what the user sees is printed
        } finally {
            Thread.currentThread().setContextClassLoader(own);
        }
        return told(output.getAll().substring(before)).replace(folder.toString(), "/etc/shop");
    }

    /** The lines above INFO, without the frame of a failure report. */
    private static String told(String printed) {
        return LINE.matcher(printed.replaceAll("\\R", "\n"))
                .results()
                .filter(line -> !line.group(1).equals("INFO"))
                .map(line -> line.group(1) + " " + line.group(2))
                .collect(Collectors.joining())
                .replaceAll(
                        "(?m)^ERROR \\n\\n\\*+\\nAPPLICATION FAILED TO START\\n\\*+\\n\\nDescription:\\n\\n", "ERROR ")
                .replaceAll("(?m)^\\nAction:\\n\\n", "ACTION ")
                .replaceAll("(?m)^\\n", "");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(
            excludeName = {
                "org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration",
                "org.springframework.boot.security.autoconfigure.ReactiveUserDetailsServiceAutoConfiguration",
                "org.springframework.boot.autoconfigure.security.servlet.UserDetailsServiceAutoConfiguration",
                "org.springframework.boot.autoconfigure.security.reactive.ReactiveUserDetailsServiceAutoConfiguration"
            })
    public static class Shop {

        @Bean
        Orders orders() {
            return new Orders();
        }

        @Bean
        @ConditionalOnProperty("shop.returns")
        Returns returns() {
            return new Returns();
        }
    }

    public static class Returns {

        @RateLimit("0/min")
        public void take() {
            check();
        }

        @RateLimit("5/min")
        private void check() {}
    }

    @RestController
    static class Orders {

        @GetMapping("/api/orders")
        String all() {
            return "";
        }
    }
}
