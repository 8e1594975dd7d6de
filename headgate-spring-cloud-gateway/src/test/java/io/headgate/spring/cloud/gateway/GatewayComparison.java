package io.headgate.spring.cloud.gateway;

import io.headgate.rig.RedisServer;
import io.headgate.spring.cloud.gateway.Gateway.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.cloud.gateway.filter.ratelimit.KeyResolver;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.server.HttpServer;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.resources.LoopResources;

/**
 * What a limit costs a gateway over Redis: requests per second and Redis commands per request, of the gateway's own limiter, of ours in
 * its place, and of our filter, on routes of one gateway that take turns.
 *
 * <pre>{@code ./mvnw -q -Pgateway-comparison -pl headgate-spring-cloud-gateway -am test-compile exec:exec}</pre>
 */
final class GatewayComparison {

    private static final int CONNECTIONS = 32;
    private static final int ROUNDS = Integer.getInteger("rounds", 5);
    private static final Duration ROUND = Duration.ofMillis(Integer.getInteger("millis", 4000));
    private static final List<String> COMMANDS = List.of("evalsha", "eval", "time", "get", "setex", "set", "pexpire");

    private static final String[] CONTENDERS = {"none", "redis", "headgate", "filter"};

    private GatewayComparison() {}

    @Configuration(proxyBeanMethods = false)
    static class Keys {

        @Bean
        KeyResolver tenant() {
            return exchange ->
                    Mono.justOrEmpty(exchange.getRequest().getHeaders().getFirst("X-Tenant"));
        }
    }

    public static void main(String[] arguments) {
        LoopResources own = LoopResources.create("load", 1, true);
        DisposableServer service = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .runOn(own)
                .handle((request, response) -> response.sendString(Mono.just("ok")))
                .bindNow();
        try (RedisServer redis = RedisServer.start();
                Gateway gateway = Gateway.start(
                        Kind.WEBFLUX, properties(redis, "http://127.0.0.1:" + service.port()), Keys.class)) {
            for (int keys : new int[] {1000, 1}) {
                compare(gateway.port(), keys, redis, own);
            }
        } finally {
            service.disposeNow();
            own.dispose();
        }
    }

    private static List<String> properties(RedisServer redis, String uri) {
        List<String> properties = new ArrayList<>(List.of(
                "logging.level.root=warn",
                "headgate.store=redis",
                "headgate.guard.deadline=5s",
                "spring.data.redis.url=" + redis.uri()));
        for (int i = 0; i < CONTENDERS.length; i++) {
            String id = CONTENDERS[i];
            properties.addAll(Gateway.route(
                    Kind.WEBFLUX,
                    i,
                    id,
                    uri,
                    "/" + id,
                    id.equals("filter") ? new String[] {"RateLimit=1000000/s, header:X-Tenant"} : new String[0]));
            if (id.equals("redis") || id.equals("headgate")) {
                String filter = Kind.WEBFLUX.prefix() + ".routes[" + i + "].filters[0]";
                properties.add(filter + ".name=RequestRateLimiter");
                properties.add(filter + ".args[rate-limiter]=#{@" + id + "RateLimiter}");
                properties.add(filter + ".args[redis-rate-limiter.replenishRate]=1000000");
                properties.add(filter + ".args[redis-rate-limiter.burstCapacity]=1000000");
            }
        }
        return properties;
    }

    private static void compare(int port, int keys, RedisServer redis, LoopResources own) {
        double[][] rates = new double[CONTENDERS.length][ROUNDS];
        String[] commands = new String[CONTENDERS.length];
        for (int round = -2; round < ROUNDS; round++) {
            for (int i = 0; i < CONTENDERS.length; i++) {
                redis.command("CONFIG", "RESETSTAT");
                long begun = System.nanoTime();
                int answers = load(port, CONTENDERS[i], keys, own);
                double rate = answers * 1e9 / (System.nanoTime() - begun);
                if (round >= 0) { // the first two are for warming up
                    rates[i][round] = rate;
                    commands[i] = commands(redis, answers);
                }
            }
        }
        System.out.printf("%n%d key(s), %d connections, median of %d rounds of %s%n", keys, CONNECTIONS, ROUNDS, ROUND);
        double[] stock = rates[1];
        for (int i = 0; i < CONTENDERS.length; i++) {
            System.out.printf(
                    "%-9s %7.0f requests/s  %.2f of redis  commands per request: %s%n",
                    CONTENDERS[i], median(rates[i]), median(ratios(rates[i], stock)), commands[i]);
        }
    }

    /** Of the rounds next to each other, since the machine may be busy with something else for a while. */
    private static double[] ratios(double[] rates, double[] others) {
        double[] ratios = new double[rates.length];
        for (int i = 0; i < rates.length; i++) {
            ratios[i] = rates[i] / others[i];
        }
        return ratios;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /** Sends requests on all connections, each after the answer to the one before, and counts the answers. */
    private static int load(int port, String route, int keys, LoopResources own) {
        ConnectionProvider connections = ConnectionProvider.create(route, CONNECTIONS);
        HttpClient client =
                HttpClient.create(connections).runOn(own).host("127.0.0.1").port(port);
        AtomicInteger answers = new AtomicInteger();
        AtomicInteger next = new AtomicInteger();
        long end = System.nanoTime() + ROUND.toNanos();
        Mono<Integer> request =
                Mono.defer(() -> client.headers(headers -> headers.set("X-Tenant", "t" + next.incrementAndGet() % keys))
                        .get()
                        .uri("/" + route)
                        .responseSingle((response, body) ->
                                body.thenReturn(response.status().code())));
        Flux.range(0, CONNECTIONS)
                .flatMap(
                        i -> request.doOnNext(status -> {
                                    if (status != 200) {
                                        throw new IllegalStateException(route + " answered " + status);
                                    }
                                    answers.incrementAndGet();
                                })
                                .repeat(() -> System.nanoTime() < end),
                        CONNECTIONS)
                .blockLast(ROUND.plusSeconds(60));
        connections.dispose();
        return answers.get();
    }

    private static String commands(RedisServer redis, int requests) {
        StringBuilder text = new StringBuilder();
        double all = 0;
        for (String command : COMMANDS) {
            double calls = (double) redis.calls(command) / requests;
            all += calls;
            if (calls > 0.001) {
                text.append(String.format(" %s %.2f", command, calls));
            }
        }
        return String.format("%.2f (%s )", all, text);
    }
}
