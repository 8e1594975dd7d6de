package io.headgate.spring.webflux;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.springframework.http.HttpStatus;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.reactive.CorsConfigurationSource;
import org.springframework.web.cors.reactive.CorsUtils;
import org.springframework.web.cors.reactive.DefaultCorsProcessor;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Adds the CORS headers that an exchange would get further down the chain, so that a page of another origin can read a denial. */
public final class DenialCorsHeaders {

    private final Supplier<List<WebFilter>> filters;
    private final Supplier<List<CorsConfigurationSource>> sources;
    private final Supplier<List<HandlerMapping>> mappings;

    /**
     * Consults the application's CORS filters first, then its configuration sources, and then its handler mappings.
     *
     * @param filters the CORS filters; called late, because they exist only once all other beans do
     */
    public DenialCorsHeaders(
            Supplier<List<WebFilter>> filters,
            Supplier<List<CorsConfigurationSource>> sources,
            Supplier<List<HandlerMapping>> mappings) {
        this.filters = filters;
        this.sources = sources;
        this.mappings = mappings;
    }

    /** Adds the headers; {@code false} if the origin is rejected, which the response then says already. */
    Mono<Boolean> addTo(ServerWebExchange exchange) {
        try {
            if (!CorsUtils.isCorsRequest(exchange.getRequest())) {
                return Mono.just(true);
            }
            return Flux.fromIterable(filters.get())
                    .concatMap(filter -> passes(filter, exchange))
                    .all(passed -> passed)
                    .flatMap(passed -> passed ? allowed(exchange) : Mono.just(false))
                    .onErrorReturn(RuntimeException.class, true);
        } catch (RuntimeException e) {
            return Mono.just(true); // an invalid origin or a failing source: the denial is sent without CORS headers
        }
    }

    /** Whether a filter lets the exchange pass; it has then added its headers, if it has any. */
    private static Mono<Boolean> passes(WebFilter filter, ServerWebExchange exchange) {
        AtomicBoolean passed = new AtomicBoolean();
        return filter.filter(exchange, onwards -> Mono.fromRunnable(() -> passed.set(true)))
                .then(Mono.fromSupplier(passed::get));
    }

    private Mono<Boolean> allowed(ServerWebExchange exchange) {
        return allowedBySource(exchange) ? Mono.just(true) : ofHandler(exchange);
    }

    /** Whether a source allows the origin; its headers are then added. A source that rejects it may be meant for other handlers. */
    private boolean allowedBySource(ServerWebExchange exchange) {
        for (CorsConfigurationSource source : sources.get()) {
            CorsConfiguration found = source.getCorsConfiguration(exchange);
            if (found != null
                    && found.checkOrigin(exchange.getRequest().getHeaders().getOrigin()) != null) {
                return new DefaultCorsProcessor().process(found, exchange);
            }
        }
        return false;
    }

    /** Has the mappings look for the handler, which adds its CORS headers or rejects the origin. */
    private Mono<Boolean> ofHandler(ServerWebExchange exchange) {
        return Flux.fromIterable(mappings.get())
                .concatMap(mapping -> mapping.getHandler(exchange))
                .next()
                .onErrorComplete()
                .then(Mono.fromSupplier(() -> exchange.getResponse().getStatusCode() != HttpStatus.FORBIDDEN));
    }
}
