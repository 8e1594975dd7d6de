package io.headgate.spring.webflux;

import io.headgate.http.Answers;
import io.headgate.http.Verdict;
import java.nio.charset.StandardCharsets;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

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

    /** Refuses. */
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
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(body)));
    }
}
