package io.headgate.spring.webflux;

import io.headgate.http.Answers;
import io.headgate.http.Verdict;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executor;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Puts answers on the responses of exchanges. */
final class ExchangeAnswers {

    private static final String TOLD = ExchangeAnswers.class.getName();

    private final Answers answers;

    ExchangeAnswers(Answers answers) {
        this.answers = answers;
    }

    /** Tells how things stand after this stage and the ones before. */
    void headers(Verdict verdict, ServerWebExchange exchange) {
        Verdict together = exchange.getAttribute(TOLD) instanceof Verdict told ? told.and(verdict) : verdict;
        exchange.getAttributes().put(TOLD, together);
        if (!exchange.getResponse().isCommitted()) {
            answers.headers(together, exchange.getResponse().getHeaders()::set);
        }
    }

    /**
     * Refuses, as the next task of the connection's event loop and not within this one: Reactor Netty 1.3.7 never reads
     * from a connection again when a request that had to wait for the one before it is answered while it is handed over
     * (reactor-netty issue 4361). On another thread the answer would be out before the server knows, and the next request be one
     * that has to wait.
     */
    Mono<Void> refuse(Verdict verdict, ServerWebExchange exchange) {
        ServerHttpResponse response = exchange.getResponse();
        if (response.isCommitted()) {
            return Mono.empty();
        }
        headers(verdict, exchange);
        byte[] body = answers.body(verdict).getBytes(StandardCharsets.UTF_8);
        response.setStatusCode(HttpStatusCode.valueOf(answers.status(verdict)));
        response.getHeaders().setContentType(MediaType.parseMediaType(answers.contentType()));
        response.getHeaders().setContentLength(body.length);
        Mono<Void> written = response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(body)));
        Executor loop = Arrival.loop(exchange.getRequest());
        return loop == null ? written : written.subscribeOn(Schedulers.fromExecutor(loop));
    }
}
