package io.headgate.spring.webflux;

import io.headgate.http.Verdict;
import io.headgate.spring.ChargeReport;
import org.jspecify.annotations.Nullable;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Collects what the method calls of an exchange were charged to, and reports it right before the headers are sent. */
final class ExchangeReport implements ChargeReport {

    private Verdict all = Verdict.PASS;

    private ExchangeReport() {}

    /** The report of that exchange. */
    static ExchangeReport begin(ServerWebExchange exchange, ExchangeAnswers answers) {
        ExchangeReport report = new ExchangeReport();
        exchange.getAttributes().put(KEY, report);
        exchange.getResponse().beforeCommit(() -> Mono.fromRunnable(() -> answers.called(report.all(), exchange)));
        return report;
    }

    static @Nullable ExchangeReport of(ServerWebExchange exchange) {
        return exchange.getAttribute(KEY);
    }

    @Override
    public synchronized void charged(Verdict verdict) {
        all = all.and(verdict);
    }

    private synchronized Verdict all() {
        return all;
    }
}
