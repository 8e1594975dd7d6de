package io.headgate.spring.webflux;

import io.headgate.http.Answers;
import io.headgate.http.Checkpoint;
import io.headgate.http.Gate;
import io.headgate.http.Verdict;
import io.headgate.spring.Gates;
import io.headgate.spring.HandlerLimits;
import io.headgate.spring.Progress;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.web.cors.reactive.CorsUtils;
import org.springframework.web.reactive.HandlerAdapter;
import org.springframework.web.reactive.HandlerResult;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Sends every exchange through the gate right before its handler, together with the handler's own limits, and has the usual
 * adapter call the handler: WebFlux has no interceptors.
 *
 * <p>The handler has been found by then, so its route is known, and so are the CORS headers that a refusal carries. Preflights
 * are answered by Spring and reach no handler, so they are free. An exchange that is dispatched again meets the rules of its new
 * path, but none of them twice.
 *
 * <p>Somebody who has rewritten the path behind the filter leads to a handler past the rules that stand there. Such an exchange meets
 * them here, first and by themselves: as at the filter they keep what a rule at the handler refuses.
 */
public final class GateHandlerAdapter implements HandlerAdapter, Ordered {

    private final Gates gates;
    private final HandlerLimits limits;
    private final ExchangeAnswers answers;
    private final Supplier<List<HandlerAdapter>> adapters;
    private final Handover handover = new Handover();

    /** @param adapters all there are, in their order; asked late, since they are made later */
    public GateHandlerAdapter(
            Gates gates, HandlerLimits limits, Answers answers, Supplier<List<HandlerAdapter>> adapters) {
        this.gates = gates;
        this.limits = limits;
        this.answers = new ExchangeAnswers(answers);
        this.adapters = adapters;
    }

    @Override
    public boolean supports(Object handler) {
        return usual(handler) != null;
    }

    private @Nullable HandlerAdapter usual(Object handler) {
        for (HandlerAdapter adapter : adapters.get()) {
            if (adapter != this && adapter.supports(handler)) {
                return adapter;
            }
        }
        return null;
    }

    @Override
    public Mono<HandlerResult> handle(ServerWebExchange exchange, Object handler) {
        HandlerAdapter usual = usual(handler);
        if (usual == null) {
            return Mono.error(new IllegalStateException("nobody can call " + handler));
        }
        if (CorsUtils.isPreFlightRequest(exchange.getRequest())) {
            return usual.handle(exchange, handler);
        }
        return Mono.defer(() -> check(exchange, handler, usual));
    }

    private Mono<HandlerResult> check(ServerWebExchange exchange, Object handler, HandlerAdapter usual) {
        ExchangeView view = ExchangeView.of(exchange);
        List<Checkpoint> early = progress(exchange).due(gates.filter().match(view), List.of());
        return early.isEmpty()
                ? checkLate(view, handler, usual)
                : pass(gates.filter(), view, early, () -> checkLate(view, handler, usual));
    }

    private Mono<HandlerResult> checkLate(ExchangeView view, Object handler, HandlerAdapter usual) {
        ServerWebExchange exchange = view.exchange();
        List<Checkpoint> due = progress(exchange).due(gates.handler().match(view), limits.of(handler));
        return due.isEmpty()
                ? usual.handle(exchange, handler)
                : pass(gates.handler(), view, due, () -> usual.handle(exchange, handler));
    }

    private Mono<HandlerResult> pass(
            Gate gate, ExchangeView view, List<Checkpoint> due, Supplier<Mono<HandlerResult>> onwards) {
        ServerWebExchange exchange = view.exchange();
        Mono<Verdict> told = due.stream().anyMatch(Checkpoint::needsPrincipal)
                ? handover.withUser(gate, view, due)
                : handover.through(gate, view, due);
        return told.flatMap(verdict -> {
            if (!verdict.allowed()) {
                return answers.refuse(verdict, exchange).then(Mono.empty());
            }
            answers.pass(progress(exchange).and(due, verdict), exchange);
            return onwards.get();
        });
    }

    private static Progress progress(ServerWebExchange exchange) {
        return Progress.of(exchange.getAttribute(Progress.ATTRIBUTE));
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }
}
