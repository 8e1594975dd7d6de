package io.headgate.spring.webflux;

import io.headgate.http.Answers;
import io.headgate.http.Verdict;
import io.headgate.spring.Gates;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatus;
import org.springframework.web.cors.reactive.CorsUtils;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Sends exchanges through the gate before anybody has looked at them: for what never reaches a handler, such as logins. CORS
 * preflights are answered by Spring and pass.
 */
public final class GateWebFilter implements WebFilter, Ordered {

    private final Gates gates;
    private final ExchangeAnswers answers;
    private final Supplier<List<HandlerMapping>> mappings;
    private final int order;

    /** @param mappings where the CORS settings of handlers are known; asked late, since they are made later */
    public GateWebFilter(Gates gates, Answers answers, Supplier<List<HandlerMapping>> mappings, int order) {
        this.gates = gates;
        this.answers = new ExchangeAnswers(answers);
        this.mappings = mappings;
        this.order = order;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        if (CorsUtils.isPreFlightRequest(exchange.getRequest())) {
            return chain.filter(exchange);
        }
        return ExchangeView.of(exchange, null).through(gates.filter()).flatMap(verdict -> {
            if (!verdict.allowed()) {
                return refuse(verdict, exchange);
            }
            answers.headers(verdict, exchange);
            return chain.filter(exchange);
        });
    }

    /** Looking for the handler adds the CORS headers it would have sent, or refuses the origin. */
    private Mono<Void> refuse(Verdict verdict, ServerWebExchange exchange) {
        Mono<Object> handler = CorsUtils.isCorsRequest(exchange.getRequest())
                ? Flux.fromIterable(mappings.get())
                        .concatMap(mapping -> mapping.getHandler(exchange))
                        .next()
                        .onErrorComplete()
                : Mono.empty();
        return handler.then(Mono.defer(() -> exchange.getResponse().getStatusCode() == HttpStatus.FORBIDDEN
                ? exchange.getResponse().setComplete()
                : answers.refuse(verdict, exchange)));
    }

    @Override
    public int getOrder() {
        return order;
    }
}
