package io.headgate.spring.webflux;

import io.headgate.http.Answers;
import io.headgate.spring.RateLimitExceededException;
import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;

/** Answers refused method calls as the gate would. If part of the response has been sent, it leaves it to the server to abort. */
public final class RefusalHandler implements WebExceptionHandler, Ordered {

    private final ExchangeAnswers answers;

    public RefusalHandler(Answers answers) {
        this.answers = new ExchangeAnswers(answers);
    }

    @Override
    public Mono<Void> handle(ServerWebExchange exchange, Throwable thrown) {
        RateLimitExceededException refusal = RateLimitExceededException.in(thrown);
        return refusal == null || exchange.getResponse().isCommitted()
                ? Mono.error(thrown)
                : answers.refuse(refusal.verdict(), exchange);
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }
}
