package io.headgate.spring.webflux;

import io.headgate.http.Answers;
import io.headgate.http.BoundRule;
import io.headgate.http.Gate;
import io.headgate.http.RequestView;
import io.headgate.http.Verdict;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Checks exchanges at bound rules, sets the headers, and answers denials. For code that limits exchanges at a place of its own. */
public final class ExchangeGate {

    private final VerdictScheduler scheduler;
    private final ExchangeAnswers answers;

    public ExchangeGate(Gate gate, Answers answers) {
        this.scheduler = new VerdictScheduler(gate);
        this.answers = new ExchangeAnswers(answers);
    }

    /**
     * Checks an exchange at those of the bound rules that it has not passed yet, and continues with {@code next} unless it is denied.
     * A denial is answered here, and the result is then empty.
     */
    public <T> Mono<T> check(ServerWebExchange exchange, List<BoundRule> rules, Supplier<Mono<T>> next) {
        List<BoundRule> due = ExchangeAnswers.charges(exchange).due(rules, List.of());
        return due.isEmpty() ? next.get() : pass(ExchangeView.of(exchange), due, next);
    }

    /** The verdict on a request that is known only by this view, delivered on the event loop of the exchange. Answers nothing. */
    public Mono<Verdict> verdict(RequestView view, List<BoundRule> rules) {
        return scheduler.checkView(view, rules);
    }

    <T> Mono<T> pass(ExchangeView view, List<BoundRule> due, Supplier<Mono<T>> next) {
        ServerWebExchange exchange = view.exchange();
        Mono<Verdict> checked = due.stream().anyMatch(BoundRule::needsPrincipal)
                ? scheduler.checkWithUser(view, due)
                : scheduler.check(view, due);
        return checked.flatMap(verdict -> {
            if (!verdict.allowed()) {
                return answers.deny(verdict, exchange).then(Mono.empty());
            }
            answers.pass(due, verdict, exchange);
            return next.get();
        });
    }
}
