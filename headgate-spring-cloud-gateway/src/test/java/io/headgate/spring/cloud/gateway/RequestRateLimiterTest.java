package io.headgate.spring.cloud.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.rig.RedisServer;
import io.headgate.spring.cloud.gateway.Gateway.Kind;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.cloud.gateway.filter.ratelimit.KeyResolver;
import org.springframework.cloud.gateway.filter.ratelimit.RateLimiter;
import org.springframework.cloud.gateway.filter.ratelimit.RedisRateLimiter;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Mono;

/** The gateway's own filter with our limiter, in applications that were made for Redis' limiter. */
class RequestRateLimiterTest {

    @Configuration(proxyBeanMethods = false)
    static class Keys {

        @Bean
        KeyResolver tenant() {
            return exchange ->
                    Mono.justOrEmpty(exchange.getRequest().getHeaders().getFirst("X-Tenant"));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnLimiter {

        @Bean
        RedisRateLimiter mine() {
            return new RedisRateLimiter(1, 1);
        }
    }

    private final Upstream upstream = new Upstream();
    private final RedisServer redis = RedisServer.start();

    @AfterEach
    void stop() {
        upstream.close();
        redis.close();
    }

    private List<String> route(String... args) {
        List<String> properties = new ArrayList<>(Gateway.route(Kind.WEBFLUX, 0, "orders", upstream.uri(), "/**"));
        String filter = Kind.WEBFLUX.prefix() + ".routes[0].filters[0]";
        properties.add(filter + ".name=RequestRateLimiter");
        for (String arg : args) {
            int equals = arg.indexOf('=');
            properties.add(filter + ".args[" + arg.substring(0, equals) + "]" + arg.substring(equals));
        }
        properties.addAll(Gateway.over(redis));
        return properties;
    }

    private static final String[] BUCKET = {
        "redis-rate-limiter.replenishRate=1",
        "redis-rate-limiter.burstCapacity=100",
        "redis-rate-limiter.requestedTokens=50"
    };

    @Test
    void takesTheArgumentsOfRedisLimiterAndItsPlace() {
        try (Gateway gateway = Gateway.start(Kind.WEBFLUX, route(BUCKET), Keys.class)) {
            assertThat(gateway.context().getBean(RateLimiter.class)).isInstanceOf(HeadgateRateLimiter.class);
            HttpResponse<String> first = gateway.get("/a", "X-Tenant", "t");
            assertThat(first.statusCode()).isEqualTo(200);
            assertThat(first.headers().allValues("X-RateLimit-Remaining")).containsExactly("50");
            assertThat(first.headers().allValues("X-RateLimit-Replenish-Rate")).containsExactly("1");
            assertThat(first.headers().allValues("X-RateLimit-Burst-Capacity")).containsExactly("100");
            assertThat(first.headers().allValues("X-RateLimit-Requested-Tokens"))
                    .containsExactly("50");
            assertThat(gateway.statuses(1, "/a", "X-Tenant", "t")).containsExactly(200);
            HttpResponse<String> denial = gateway.get("/a", "X-Tenant", "t");
            assertThat(denial.statusCode()).isEqualTo(429);
            assertThat(denial.headers().firstValueAsLong("Retry-After").orElse(0))
                    .isBetween(1L, 50L);
            assertThat(gateway.statuses(1, "/a", "X-Tenant", "other")).containsExactly(200);
        }
        assertThat(redis.command("KEYS", "request_rate_limiter*")).asString().isEqualTo("[]");
    }

    @Test
    void theNamesOfHeadersAreThoseOfTheGatewaysProperties() {
        List<String> properties = route("headgate.limits=2/h, 5/day");
        properties.add(Kind.WEBFLUX.prefix() + ".redis-rate-limiter.remaining-header=X-Left");
        try (Gateway gateway = Gateway.start(Kind.WEBFLUX, properties, Keys.class)) {
            HttpResponse<String> first = gateway.get("/a", "X-Tenant", "t");
            assertThat(first.headers().allValues("X-Left")).containsExactly("1");
            assertThat(first.headers().allValues("X-RateLimit-Remaining")).isEmpty();
            assertThat(gateway.statuses(2, "/a", "X-Tenant", "t")).containsExactly(200, 429);
        }
    }

    /** A bucket gives a permit back after half an hour; a window keeps both for an hour. */
    @Test
    void itsLimitsHaveTheAlgorithmOfTheApplicationAsRulesDo() {
        List<String> properties = route("headgate.limits=2/h");
        properties.add("headgate.algorithm=sliding-window");
        try (Gateway gateway = Gateway.start(Kind.WEBFLUX, properties, Keys.class)) {
            assertThat(gateway.statuses(2, "/a", "X-Tenant", "t")).containsExactly(200, 200);
            assertThat(gateway.get("/a", "X-Tenant", "t")
                            .headers()
                            .firstValueAsLong("Retry-After")
                            .orElse(0))
                    .isGreaterThan(1_800);
        }
    }

    @Test
    void aRouteMayKeepRedisLimiter() {
        List<String> args = new ArrayList<>(List.of(BUCKET));
        args.add("rate-limiter=#{@redisRateLimiter}");
        try (Gateway gateway = Gateway.start(Kind.WEBFLUX, route(args.toArray(String[]::new)), Keys.class)) {
            assertThat(gateway.statuses(3, "/a", "X-Tenant", "t")).containsExactly(200, 200, 429);
        }
        assertThat(redis.command("KEYS", "request_rate_limiter*")).asString().contains("orders.t");
    }

    @Test
    void givesWayToALimiterOfTheApplication() {
        try (Gateway gateway = Gateway.start(Kind.WEBFLUX, route(), Keys.class, OwnLimiter.class)) {
            assertThat(gateway.context().getBeansOfType(HeadgateRateLimiter.class))
                    .isEmpty();
            assertThat(gateway.statuses(1, "/a", "X-Tenant", "t")).containsExactly(200);
        }
    }
}
