package io.headgate.spring.webflux;

import io.headgate.http.RequestView;
import io.headgate.http.Verdict;
import io.headgate.spring.CurrentRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** The exchange of limited method calls. Collects what they were charged to, and reports it right before the headers are sent. */
final class ExchangeRequest implements CurrentRequest {

    private Verdict charged = Verdict.PASS;
    private volatile @Nullable RequestView view;

    private ExchangeRequest() {}

    /** The current request of that exchange, from now on an attribute of it. */
    static ExchangeRequest begin(ServerWebExchange exchange, ExchangeAnswers answers) {
        ExchangeRequest request = new ExchangeRequest();
        exchange.getAttributes().put(KEY, request);
        exchange.getResponse()
                .beforeCommit(() -> Mono.fromRunnable(() -> answers.called(request.allCharged(), exchange)));
        return request;
    }

    static @Nullable ExchangeRequest of(ServerWebExchange exchange) {
        return exchange.getAttribute(KEY);
    }

    /** Sets the view of the exchange as its handler sees it. */
    void handled(RequestView known) {
        view = known;
    }

    @Override
    public @Nullable RequestView view() {
        return view;
    }

    @Override
    public synchronized void charged(Verdict verdict) {
        charged = charged.and(verdict);
    }

    private synchronized Verdict allCharged() {
        return charged;
    }
}
