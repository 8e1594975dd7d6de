package io.headgate.guide;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;

/** A Spring Boot application that a page describes, and a client of it. */
final class Application implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final HttpClient client = HttpClient.newHttpClient();
    private final ConfigurableApplicationContext context;

    @EnableAutoConfiguration
    static class Empty {}

    private Application(ConfigurableApplicationContext context) {
        this.context = context;
    }

    /** Starts it with what a page shows as its YAML; in memory, unless the page says otherwise. */
    static Application start(WebApplicationType type, String yaml, Class<?>... beans) {
        return new Application(new SpringApplicationBuilder(Empty.class)
                .sources(beans)
                .web(type)
                .properties(
                        "server.port=0",
                        "headgate.store=memory",
                        "spring.main.banner-mode=off",
                        "spring.data.redis.repositories.enabled=false")
                .initializers(starting ->
                        properties(yaml).forEach(starting.getEnvironment().getPropertySources()::addFirst))
                .run());
    }

    static List<PropertySource<?>> properties(String yaml) {
        try {
            return new YamlPropertySourceLoader()
                    .load("page", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    List<Integer> statuses(int requests, String path, String... headers) {
        List<Integer> statuses = new ArrayList<>();
        for (int i = 0; i < requests; i++) {
            statuses.add(get(path, headers).statusCode());
        }
        return statuses;
    }

    HttpResponse<String> get(String path, String... headers) {
        String port = context.getEnvironment().getProperty("local.server.port");
        return get(client, "http://localhost:" + port + path, headers);
    }

    static HttpResponse<String> get(HttpClient client, String uri, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(uri)).timeout(PATIENCE);
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
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
