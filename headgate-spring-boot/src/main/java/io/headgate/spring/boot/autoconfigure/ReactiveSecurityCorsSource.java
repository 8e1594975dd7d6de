package io.headgate.spring.boot.autoconfigure;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.cors.reactive.CorsWebFilter;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Runs the CORS filter inside the Spring Security chain of an exchange, which is not a bean. Loaded only with Spring Security. */
final class ReactiveSecurityCorsSource implements WebFilter {

    private static final WebFilter NONE = (exchange, chain) -> chain.filter(exchange);

    private final ObjectProvider<SecurityWebFilterChain> chains;

    ReactiveSecurityCorsSource(BeanFactory beans) {
        this.chains = beans.getBeanProvider(SecurityWebFilterChain.class);
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        return Flux.fromStream(chains::orderedStream)
                .filterWhen(secured -> secured.matches(exchange))
                .next()
                .flatMapMany(SecurityWebFilterChain::getWebFilters)
                .filter(CorsWebFilter.class::isInstance)
                .next()
                .defaultIfEmpty(NONE)
                .flatMap(cors -> cors.filter(exchange, chain));
    }
}
