package io.headgate.spring.cloud.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.spring.cloud.gateway.Gateway.Kind;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.cloud.gateway.event.RefreshRoutesEvent;
import org.springframework.cloud.gateway.filter.FilterDefinition;
import org.springframework.cloud.gateway.handler.predicate.PredicateDefinition;
import org.springframework.cloud.gateway.route.RouteDefinition;
import org.springframework.cloud.gateway.route.RouteDefinitionWriter;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.route.builder.RouteLocatorBuilder;
import org.springframework.cloud.gateway.server.mvc.filter.BeforeFilterFunctions;
import org.springframework.cloud.gateway.server.mvc.handler.GatewayRouterFunctions;
import org.springframework.cloud.gateway.server.mvc.handler.HandlerFunctions;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;
import reactor.core.publisher.Mono;

/** Routes that are read while the application runs. No mistake in one of them lets a request pass without its limit. */
class RefreshTest {

    private final Upstream upstream = new Upstream();

    @AfterEach
    void stop() {
        upstream.close();
    }

    private void write(Gateway gateway, String filter) {
        RouteDefinition route = new RouteDefinition();
        route.setId("late");
        route.setUri(URI.create(upstream.uri()));
        route.setPredicates(List.of(new PredicateDefinition("Path=/late/**")));
        route.setFilters(List.of(new FilterDefinition(filter)));
        gateway.context()
                .getBean(RouteDefinitionWriter.class)
                .save(Mono.just(route))
                .block();
        gateway.context().publishEvent(new RefreshRoutesEvent(this));
    }

    /** Known bug C11. */
    @Test
    void anInvalidRouteLeavesTheRoutesInForce() {
        List<String> routes = Gateway.route(Kind.WEBFLUX, 0, "early", upstream.uri(), "/early/**", "RateLimit=2/h");
        try (Gateway gateway = Gateway.start(Kind.WEBFLUX, routes)) {
            write(gateway, "RateLimit=1/h");
            assertThat(gateway.statuses(2, "/late/a")).containsExactly(200, 429);

            write(gateway, "RateLimit=1/hh");
            assertThat(gateway.statuses(1, "/late/a")).containsExactly(429);
            assertThat(gateway.statuses(3, "/early/a")).containsExactly(200, 200, 429);

            write(gateway, "RateLimit=3/h");
            assertThat(gateway.statuses(3, "/late/a"))
                    .as("what was spent stays spent")
                    .containsExactly(200, 200, 429);
        }
    }

    @Test
    void aRouteThatIsDroppedForItsMistakeIsNotServed() {
        List<String> routes = new java.util.ArrayList<>(
                Gateway.route(Kind.WEBFLUX, 0, "early", upstream.uri(), "/early/**", "RateLimit=2/h"));
        routes.add(Kind.WEBFLUX.prefix() + ".fail-on-route-definition-error=false");
        try (Gateway gateway = Gateway.start(Kind.WEBFLUX, routes)) {
            write(gateway, "RateLimit=1/hh");

            assertThat(gateway.statuses(1, "/late/a")).containsExactly(404);
            assertThat(gateway.statuses(3, "/early/a")).containsExactly(200, 200, 429);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Dsl {

        @Bean
        RouterFunction<ServerResponse> good(Environment environment) {
            return route("good", "1/h", environment);
        }

        @Bean
        RouterFunction<ServerResponse> bad(Environment environment) {
            return route("bad", "1/hh", environment);
        }

        private static RouterFunction<ServerResponse> route(String id, String limit, Environment environment) {
            return GatewayRouterFunctions.route(id)
                    .GET("/" + id, HandlerFunctions.http())
                    .before(BeforeFilterFunctions.uri(environment.getRequiredProperty("upstream")))
                    .filter(RateLimitFilterFunctions.rateLimit(new RateLimitArguments().setLimit(limit)))
                    .build();
        }
    }

    @Test
    void anInvalidLimitInCodeFailsTheRequestsOfItsRoute() {
        try (Gateway gateway = Gateway.start(Kind.MVC, List.of("upstream=" + upstream.uri()), Dsl.class)) {
            assertThat(gateway.statuses(2, "/good")).containsExactly(200, 429);
            upstream.hits();
            assertThat(gateway.statuses(2, "/bad")).containsExactly(500, 500);
            assertThat(upstream.hits()).isZero();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Locator {

        @Bean
        RouteLocator routes(
                RouteLocatorBuilder builder, RateLimitGatewayFilterFactory limits, Environment environment) {
            String uri = environment.getRequiredProperty("upstream");
            String limit = environment.getRequiredProperty("limit");
            return builder.routes()
                    .route(
                            "ours",
                            route -> route.path("/ours")
                                    .filters(filters ->
                                            filters.filter(limits.apply("ours", each -> each.setLimit(limit))))
                                    .uri(uri))
                    .route(
                            "theirs",
                            route -> route.path("/theirs")
                                    .filters(filters -> filters.requestRateLimiter()
                                            .rateLimiter(
                                                    HeadgateRateLimiter.class,
                                                    each -> each.setReplenishRate(1)
                                                            .setBurstCapacity(100)
                                                            .setRequestedTokens(50))
                                            .and())
                                    .uri(uri))
                    .build();
        }
    }

    private Gateway locator(String limit) {
        return Gateway.start(
                Kind.WEBFLUX,
                List.of("upstream=" + upstream.uri(), "limit=" + limit),
                Locator.class,
                RequestRateLimiterTest.Keys.class);
    }

    @Test
    void routesInCodeAreLimited() {
        try (Gateway gateway = locator("1/h")) {
            assertThat(gateway.statuses(2, "/ours")).containsExactly(200, 429);
            assertThat(gateway.statuses(3, "/theirs", "X-Tenant", "t")).containsExactly(200, 200, 429);
        }
    }

    @Test
    void anInvalidLimitInARouteLocatorStopsTheStart() {
        assertThatThrownBy(() -> locator("1/hh").close())
                .hasStackTraceContaining("the filter RateLimit=1/hh of route 'ours': ");
    }
}
