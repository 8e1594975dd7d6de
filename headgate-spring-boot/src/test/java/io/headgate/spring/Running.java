package io.headgate.spring;

import io.headgate.spring.line.Line;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** An application that runs on a port of its own, and a client of it. */
public final class Running implements AutoCloseable {

    /** What switches Spring Security off, though it is on the class path. */
    public static final String WITHOUT_SPRING_SECURITY = "spring.autoconfigure.exclude=" + Line.SECURITY;

    /** Lets an application end at once, where Reactor Netty would wait until nobody has used its threads for two seconds. */
    private static final String AT_ONCE = "spring.reactor.netty.shutdown-quiet-period=0s";

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final HttpClient client = HttpClient.newHttpClient();
    private final ConfigurableApplicationContext context;

    private Running(ConfigurableApplicationContext context) {
        this.context = context;
    }

    public static Running servlet(Class<?> application, String... properties) {
        return start(WebApplicationType.SERVLET, application, properties);
    }

    public static Running reactive(Class<?> application, String... properties) {
        return start(WebApplicationType.REACTIVE, application, properties);
    }

    /** One that was started otherwise. */
    public static Running of(ConfigurableApplicationContext context) {
        return new Running(context);
    }

    private static Running start(WebApplicationType type, Class<?> application, String... properties) {
        List<String> arguments = new ArrayList<>(List.of("--server.port=0", "--spring.main.banner-mode=off"));
        for (String property : properties) {
            arguments.add("--" + property);
        }
        return new Running(new SpringApplicationBuilder(application)
                .properties("headgate.store=memory", AT_ONCE)
                .web(type)
                .run(arguments.toArray(String[]::new)));
    }

    public ConfigurableApplicationContext context() {
        return context;
    }

    public int port() {
        return Integer.parseInt(String.valueOf(context.getEnvironment().getProperty("local.server.port")));
    }

    public HttpResponse<String> get(String path, String... headers) {
        return send("GET", path, headers);
    }

    /** The statuses of so many requests, one after the other. */
    public List<Integer> statuses(int requests, String path, String... headers) {
        List<Integer> statuses = new ArrayList<>();
        for (int i = 0; i < requests; i++) {
            statuses.add(get(path, headers).statusCode());
        }
        return statuses;
    }

    public HttpResponse<String> send(String method, String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + port() + path))
                .timeout(PATIENCE)
                .method(method, HttpRequest.BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError(method + " " + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        context.close();
    }
}
