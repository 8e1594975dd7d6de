package io.headgate.spring.cloud.gateway;

import io.headgate.rig.RedisServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** A gateway that runs on a port of its own, and a client of it. */
final class Gateway implements AutoCloseable {

    /** The two gateways. */
    enum Kind {
        WEBFLUX("reactive"),
        MVC("servlet");

        private final String type;

        Kind(String type) {
            this.type = type;
        }

        String prefix() {
            return "spring.cloud.gateway.server." + (this == WEBFLUX ? "webflux" : "webmvc");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1) // the offer of HTTP/2 would be passed on to the service
            .build();
    private final ConfigurableApplicationContext context;

    private Gateway(ConfigurableApplicationContext context) {
        this.context = context;
    }

    static Gateway start(Kind kind, List<String> properties, Class<?>... more) {
        Class<?>[] sources =
                Stream.concat(Stream.of(Application.class), Stream.of(more)).toArray(Class<?>[]::new);
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=0",
                "--spring.main.banner-mode=off",
                "--spring.main.web-application-type=" + kind.type,
                "--spring.reactor.netty.shutdown-quiet-period=0s"));
        properties.forEach(property -> arguments.add("--" + property));
        return new Gateway(new SpringApplicationBuilder(sources)
                .properties("headgate.store=memory")
                .run(arguments.toArray(String[]::new)));
    }

    /** The properties of a route. The path is also what the service gets. */
    static List<String> route(Kind kind, int index, String id, String uri, String path, String... filters) {
        String route = kind.prefix() + ".routes[" + index + "]";
        List<String> properties = new ArrayList<>(
                List.of(route + ".id=" + id, route + ".uri=" + uri, route + ".predicates[0]=Path=" + path));
        for (int i = 0; i < filters.length; i++) {
            properties.add(route + ".filters[" + i + "]=" + filters[i]);
        }
        return properties;
    }

    /** The properties of the store in Redis, with the patience that a busy machine needs. */
    static List<String> over(RedisServer redis) {
        return List.of(
                "headgate.store=redis",
                "spring.data.redis.url=" + redis.uri(),
                "headgate.guard.deadline=20s",
                "headgate.redis.timeout=20s");
    }

    ConfigurableApplicationContext context() {
        return context;
    }

    int port() {
        return Integer.parseInt(String.valueOf(context.getEnvironment().getProperty("local.server.port")));
    }

    HttpResponse<String> get(String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + port() + path))
                .timeout(PATIENCE);
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError(path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** The statuses of so many requests, one after the other. */
    List<Integer> statuses(int requests, String path, String... headers) {
        List<Integer> statuses = new ArrayList<>();
        for (int i = 0; i < requests; i++) {
            statuses.add(get(path, headers).statusCode());
        }
        return statuses;
    }

    @Override
    public void close() {
        context.close();
    }
}
