package io.headgate.spring.webflux;

import io.headgate.http.Answers;
import io.headgate.spring.RateLimitExceededException;
import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;

/** Answers denied method calls as the gate would. If part of the response has been sent, it leaves it to the server to abort. */
public final class DenialHandler implements WebExceptionHandler, Ordered {

    private final ExchangeAnswers answers;

    public DenialHandler(Answers answers) {
        this.answers = new ExchangeAnswers(answers);
    }

    @Override
    public Mono<Void> handle(ServerWebExchange exchange, Throwable thrown) {
        RateLimitExceededException denial = RateLimitExceededException.in(thrown);
        return denial == null || exchange.getResponse().isCommitted()
                ? Mono.error(thrown)
                : answers.deny(denial.verdict(), exchange);
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }
}
