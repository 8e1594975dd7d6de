package io.headgate.spring.method;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.spring.RateLimit;
import io.headgate.spring.RateLimitExceededException;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** An application with nothing on its class path that the starter does not bring: no web, no Reactor, no Redis, no meters. */
class WithoutWebTest {

    private static final Pattern BROUGHT = Pattern.compile(
            "spring-boot-\\d.*|spring-boot-autoconfigure-.*|spring-(core|jcl|context|beans|aop|expression)-.*"
                    + "|micrometer-(observation|commons)-.*|commons-logging-.*|jspecify-.*|snakeyaml-.*|headgate-(core|http|spring)-.*");

    @Test
    void limitsMethods() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                                .filter(WithoutWebTest::isBrought)
                                .collect(Collectors.joining(File.pathSeparator)),
                        Application.class.getName())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(said).contains("called once, and rate limit");
        assertThat(process.waitFor()).isZero();
    }

    private static boolean isBrought(String entry) {
        String name = Path.of(entry).getFileName().toString();
        return !name.endsWith(".jar") || BROUGHT.matcher(name).matches();
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        public static void main(String[] arguments) {
            try (ConfigurableApplicationContext context =
                    new SpringApplicationBuilder(Application.class).run(arguments)) {
                Service service = context.getBean(Service.class);
                service.call();
                try {
                    service.call();
                } catch (RateLimitExceededException e) {
                    System.out.println("called once, and " + e.getMessage());
                }
            }
        }

        @Bean
        Service service() {
            return new Service();
        }
    }

    static class Service {

        @RateLimit("1/h")
        public void call() {}
    }
}
