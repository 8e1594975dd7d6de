package io.headgate.demo;

import io.headgate.rig.Processes;
import io.headgate.rig.RedisServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.springframework.boot.builder.SpringApplicationBuilder;

/** The application in processes of their own, each on a port that is free, and a client of them. */
final class DemoProcess implements AutoCloseable {

    static final int INSTANCES = 2;

    private static final Duration START = Duration.ofSeconds(90);
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String PORT = "listens on ";

    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(PATIENCE).build();
    private final Processes processes;
    private final List<String> urls;

    private DemoProcess(Processes processes) {
        this.processes = processes;
        this.urls = IntStream.range(0, INSTANCES).mapToObj(this::url).toList();
    }

    /** What runs in each. */
    public static void main(String[] numberAndSettings) {
        String[] settings =
                List.of(numberAndSettings).subList(1, numberAndSettings.length).toArray(String[]::new);
        var context = new SpringApplicationBuilder(Demo.class).run(settings);
        System.out.println(PORT + context.getEnvironment().getProperty("local.server.port"));
    }

    /** Two instances with the rules of {@code two-instances.yaml}. */
    static DemoProcess start(RedisServer redis) {
        Processes processes = Processes.fork(
                INSTANCES,
                DemoProcess.class,
                "--server.port=0",
                "--spring.config.additional-location=classpath:two-instances.yaml",
                "--spring.data.redis.url=" + redis.uri());
        try {
            processes.awaitLine(PORT, START);
            return new DemoProcess(processes);
        } catch (RuntimeException | Error e) {
            processes.close();
            throw e;
        }
    }

    private String url(int instance) {
        String line = processes.lines(instance).stream()
                .filter(each -> each.startsWith(PORT))
                .findFirst()
                .orElseThrow();
        return "http://localhost:" + line.substring(PORT.length());
    }

    HttpResponse<String> send(int instance, String method, String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(urls.get(instance) + path))
                .timeout(PATIENCE)
                .method(method, HttpRequest.BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Override
    public void close() {
        processes.close();
    }
}
