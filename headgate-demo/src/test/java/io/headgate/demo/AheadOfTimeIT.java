package io.headgate.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.rig.RedisServer;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplicationAotProcessor;

/**
 * The demo as a native image would run it: Spring decides beforehand which beans there are and writes code that makes them, the
 * code is compiled, and the application starts from it. Only the image itself is missing.
 */
class AheadOfTimeIT {

    private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");

    @TempDir
    Path folder;

    @Test
    void limitsOverRedis() throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            List<String> settings =
                    List.of("--server.port=0", "--headgate.store=redis", "--spring.data.redis.url=" + redis.uri());
            generate(settings);
            compile();
            Process demo = java(List.of("-Dspring.aot.enabled=true"), Demo.class, settings)
                    .start();
            try {
                String url = "http://localhost:" + port(demo);
                List<Integer> statuses = new ArrayList<>();
                for (int i = 0; i < 11; i++) {
                    statuses.add(get(url + "/api/public").statusCode());
                }
                assertThat(Collections.frequency(statuses, 200)).isEqualTo(10);
                assertThat(statuses.get(10)).isEqualTo(429);
                assertThat((Long) redis.command("DBSIZE")).isPositive();
                assertThat(get(url + "/actuator/ratelimits").body()).contains("\"name\":\"public\"");
            } finally {
                demo.destroyForcibly().waitFor();
            }
        }
    }

    private void generate(List<String> settings) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(
                Demo.class.getName(),
                folder.resolve("sources").toString(),
                folder.resolve("resources").toString(),
                folder.resolve("classes").toString(),
                "io.headgate",
                "headgate-demo"));
        arguments.addAll(settings);
        Process process = java(List.of(), SpringApplicationAotProcessor.class, arguments)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            assertThat(process.waitFor(90, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    private void compile() throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "-nowarn",
                "-parameters",
                "-proc:none",
                "-cp",
                classPath(),
                "-d",
                folder.resolve("classes").toString()));
        try (Stream<Path> sources = Files.walk(folder.resolve("sources"))) {
            sources.map(Path::toString).filter(each -> each.endsWith(".java")).forEach(arguments::add);
        }
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
                .isZero();
    }

    private ProcessBuilder java(List<String> options, Class<?> main, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("-cp", classPath(), main.getName()));
        command.addAll(arguments);
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    }

    private String classPath() {
        return String.join(
                File.pathSeparator,
                folder.resolve("classes").toString(),
                folder.resolve("resources").toString(),
                System.getProperty("java.class.path"));
    }

    private static String port(Process demo) throws IOException {
        List<String> said = new ArrayList<>();
        BufferedReader output = demo.inputReader();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            said.add(line);
            Matcher port = PORT.matcher(line);
            if (port.find()) {
                assertThat(said).anyMatch(each -> each.contains("Starting AOT-processed Demo"));
                return port.group(1);
            }
        }
        throw new IOException("the demo did not start: " + said);
    }

    private static HttpResponse<String> get(String url) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
    }
}
