package io.headgate.spring.webflux;

import io.headgate.http.Answers;
import io.headgate.http.BoundRule;
import io.headgate.http.Gate;
import io.headgate.http.Rule;
import io.headgate.http.Verdict;
import io.headgate.spring.CurrentRequest;
import io.headgate.spring.EventLoop;
import io.headgate.spring.HandlerLimits;
import io.headgate.spring.PreflightCredentials;
import io.headgate.spring.RuleStore;
import java.util.List;
import org.springframework.core.Ordered;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.cors.reactive.CorsUtils;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;

/**
 * Checks exchanges before any other code sees them: for requests that never reach a handler, such as logins. CORS preflights
 * without credentials are answered by Spring and pass.
 *
 * <p>It also puts the {@link EventLoop} and the {@link CurrentRequest} into the Reactor context. {@link GateHandlerAdapter} cannot do so,
 * because what a handler returns is subscribed to outside of the adapter that called it.
 */
public final class GateWebFilter implements WebFilter, Ordered {

    private final RuleStore rules;
    private final HandlerLimits limits;
    private final ExchangeAnswers answers;
    private final DenialCorsHeaders cors;
    private final int order;
    private final boolean waits;
    private final VerdictScheduler scheduler;

    /** @param waits whether a verdict may have to be waited for, including verdicts on method calls behind the filter */
    public GateWebFilter(
            RuleStore rules,
            Gate gate,
            HandlerLimits limits,
            Answers answers,
            DenialCorsHeaders cors,
            int order,
            boolean waits) {
        this.rules = rules;
        this.scheduler = new VerdictScheduler(gate);
        this.limits = limits;
        this.answers = new ExchangeAnswers(answers);
        this.cors = cors;
        this.order = order;
        this.waits = waits;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        Scheduler loop = waits ? ExchangeView.loop(exchange) : null;
        if (loop == null && !limits.hasCallLimits()) {
            return check(exchange, chain);
        }
        CurrentRequest current = limits.hasCallLimits() ? ExchangeRequest.begin(exchange, answers) : null;
        return check(exchange, chain).contextWrite(context -> {
            Context with = loop == null ? context : context.put(EventLoop.KEY, loop);
            return current == null ? with : with.put(CurrentRequest.KEY, current);
        });
    }

    private Mono<Void> check(ServerWebExchange exchange, WebFilterChain chain) {
        if (rules.get().isEmpty(Rule.Stage.FILTER) || isPreflight(exchange.getRequest())) {
            return chain.filter(exchange);
        }
        ExchangeView view = ExchangeView.of(exchange);
        List<BoundRule> due = rules.get().match(Rule.Stage.FILTER, view);
        if (due.isEmpty()) {
            return chain.filter(exchange);
        }
        return scheduler.check(view, due).flatMap(verdict -> {
            if (!verdict.allowed()) {
                return deny(verdict, exchange);
            }
            answers.pass(due, verdict, exchange);
            return chain.filter(exchange);
        });
    }

    private static boolean isPreflight(ServerHttpRequest request) {
        return CorsUtils.isPreFlightRequest(request)
                && !PreflightCredentials.in(name -> request.getHeaders().getFirst(name) != null);
    }

    private Mono<Void> deny(Verdict verdict, ServerWebExchange exchange) {
        return cors.addTo(exchange)
                .flatMap(allowed -> allowed
                        ? answers.deny(verdict, exchange)
                        : exchange.getResponse().setComplete());
    }

    @Override
    public int getOrder() {
        return order;
    }
}
