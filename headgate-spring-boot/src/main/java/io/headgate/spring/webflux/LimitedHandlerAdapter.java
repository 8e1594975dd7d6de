package io.headgate.spring.webflux;

import io.headgate.http.Answers;
import io.headgate.http.Checkpoint;
import io.headgate.http.Gate;
import io.headgate.http.Listeners;
import io.headgate.http.Rule;
import io.headgate.spring.HandlerLimits;
import io.headgate.spring.RulesAndMore;
import java.security.Principal;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.core.Ordered;
import org.springframework.web.reactive.HandlerAdapter;
import org.springframework.web.reactive.HandlerResult;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Checks the limits that a handler carries itself before the usual adapter calls it: WebFlux has no interceptors. */
public final class LimitedHandlerAdapter implements HandlerAdapter, Ordered {

    private final HandlerLimits limits;
    private final Listeners listeners;
    private final ExchangeAnswers answers;
    private final Supplier<? extends HandlerAdapter> usual;

    public LimitedHandlerAdapter(
            HandlerLimits limits, Listeners listeners, Answers answers, Supplier<? extends HandlerAdapter> usual) {
        this.limits = limits;
        this.listeners = listeners;
        this.answers = new ExchangeAnswers(answers);
        this.usual = usual;
    }

    @Override
    public boolean supports(Object handler) {
        return !limits.of(handler).isEmpty();
    }

    @Override
    public Mono<HandlerResult> handle(ServerWebExchange exchange, Object handler) {
        List<Checkpoint> own = limits.of(handler);
        Gate gate = new Gate(() -> RulesAndMore.only(own), Rule.Stage.HANDLER, listeners);
        return exchange.getPrincipal()
                .map(Principal::getName)
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty())
                .flatMap(name -> Mono.fromFuture(gate.checkAsync(ExchangeView.of(exchange, name.orElse(null))), true))
                .flatMap(verdict -> {
                    if (!verdict.allowed()) {
                        return answers.refuse(verdict, exchange).then(Mono.empty());
                    }
                    answers.headers(verdict, exchange);
                    return usual.get().handle(exchange, handler);
                });
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }
}
