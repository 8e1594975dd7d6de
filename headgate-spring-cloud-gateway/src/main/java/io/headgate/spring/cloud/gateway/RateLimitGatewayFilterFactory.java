package io.headgate.spring.cloud.gateway;

import io.headgate.spring.webflux.ExchangeGate;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.factory.AbstractGatewayFilterFactory;
import org.springframework.cloud.gateway.support.HasRouteId;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Makes the filter {@code RateLimit} of the WebFlux gateway. */
public final class RateLimitGatewayFilterFactory
        extends AbstractGatewayFilterFactory<RateLimitGatewayFilterFactory.Config> {

    private final @Nullable RouteLimits limits;
    private final @Nullable ExchangeGate gate;

    /** Both are {@code null} if Headgate is disabled; the filter then lets everything pass. */
    public RateLimitGatewayFilterFactory(@Nullable RouteLimits limits, @Nullable ExchangeGate gate) {
        super(Config.class);
        this.limits = limits;
        this.gate = gate;
    }

    @Override
    public List<String> shortcutFieldOrder() {
        return RateLimitArguments.SHORT_FORM;
    }

    @Override
    public GatewayFilter apply(Config written) {
        if (limits == null || gate == null) {
            return (exchange, chain) -> chain.filter(exchange);
        }
        String route = written.getRouteId();
        if (route == null) {
            throw new IllegalArgumentException(
                    "the filter " + written + " needs the id of its route; use apply(routeId, config)");
        }
        return new RouteFilter(written.toString(), limits.read(route, written), gate);
    }

    private record RouteFilter(String text, RouteLimit limit, ExchangeGate gate) implements GatewayFilter {

        @Override
        public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
            return gate.check(exchange, limit.rules(exchange.getAttributes()), () -> chain.filter(exchange));
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /** The arguments, with the route that they are written in. */
    public static final class Config extends RateLimitArguments implements HasRouteId {

        private @Nullable String routeId;

        @Override
        public @Nullable String getRouteId() {
            return routeId;
        }

        @Override
        public void setRouteId(@Nullable String routeId) {
            this.routeId = routeId;
        }
    }
}
