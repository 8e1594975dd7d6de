package io.headgate.spring.webflux;

import io.headgate.http.Answers;
import io.headgate.http.BoundRule;
import io.headgate.http.Gate;
import io.headgate.http.Rule;
import io.headgate.spring.HandlerCharges;
import io.headgate.spring.HandlerLimits;
import io.headgate.spring.RuleStore;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.web.reactive.HandlerAdapter;
import org.springframework.web.reactive.HandlerResult;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Checks every exchange right before its handler, together with the handler's own limits, and delegates to the adapter that would
 * otherwise call the handler. WebFlux has no interceptors.
 *
 * <p>The handler has been found by then, so its route is known, and so are the CORS headers that a denial carries. Preflights
 * are answered by Spring and do not get here. An exchange that is dispatched again is checked by the rules of its
 * new path, but by none of them twice.
 *
 * <p>Code behind the filter that rewrites the path can lead to a handler whose path has filter rules that the exchange has not passed.
 * Such an exchange is checked by those rules here, first and separately: as at the filter, they keep their charge if a handler rule
 * then denies the exchange.
 */
public final class GateHandlerAdapter implements HandlerAdapter, Ordered {

    private final RuleStore rules;
    private final HandlerLimits limits;
    private final ExchangeGate gate;
    private final Supplier<List<HandlerAdapter>> adapters;

    /** @param adapters all handler adapters in order; called late, because they are created later */
    public GateHandlerAdapter(
            RuleStore rules,
            Gate gate,
            HandlerLimits limits,
            Answers answers,
            Supplier<List<HandlerAdapter>> adapters) {
        this.rules = rules;
        this.limits = limits;
        this.gate = new ExchangeGate(gate, answers);
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
            return Mono.error(new IllegalStateException("no handler adapter supports " + handler));
        }
        return Mono.defer(() -> check(exchange, handler, usual));
    }

    private Mono<HandlerResult> check(ServerWebExchange exchange, Object handler, HandlerAdapter usual) {
        ExchangeView view = ExchangeView.of(exchange);
        ExchangeRequest current = ExchangeRequest.of(exchange);
        if (current != null) {
            current.handled(view);
        }
        List<BoundRule> missed =
                ExchangeAnswers.charges(exchange).due(rules.get().match(Rule.Stage.FILTER, view), List.of());
        return missed.isEmpty()
                ? checkHandler(view, handler, usual)
                : gate.pass(view, missed, () -> checkHandler(view, handler, usual));
    }

    private Mono<HandlerResult> checkHandler(ExchangeView view, Object handler, HandlerAdapter usual) {
        ServerWebExchange exchange = view.exchange();
        List<BoundRule> due =
                ExchangeAnswers.charges(exchange).due(rules.get().match(Rule.Stage.HANDLER, view), limits.of(handler));
        return due.isEmpty()
                ? call(exchange, handler, usual)
                : gate.pass(view, due, () -> call(exchange, handler, usual));
    }

    /**
     * Calls the handler, so that what it calls on its own thread is reported. On a thread that was not foreseen, at least a handler with
     * limits of its own is: its result, or its failure, comes from the thread that called it, which has what it was charged to.
     */
    private Mono<HandlerResult> call(ServerWebExchange exchange, Object handler, HandlerAdapter usual) {
        ExchangeRequest current = ExchangeRequest.of(exchange);
        if (current == null) {
            return usual.handle(exchange, handler);
        }
        ServerWebExchange reported = new ReportedExchange(exchange, current);
        Mono<HandlerResult> result =
                ReportedSignals.of(Mono.just(handler), current).flatMap(each -> usual.handle(reported, each));
        return limits.hasCallLimits(handler) ? result.doOnTerminate(() -> HandlerCharges.reportTo(current)) : result;
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }
}
