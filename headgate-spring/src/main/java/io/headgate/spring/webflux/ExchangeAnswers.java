package io.headgate.spring.webflux;

import io.headgate.http.Answers;
import io.headgate.http.BoundRule;
import io.headgate.http.Verdict;
import io.headgate.spring.RequestCharges;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.Executor;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Writes answers to the responses of exchanges. */
final class ExchangeAnswers {

    /** The attribute of an exchange whose headers are those of a denial. */
    private static final String DENIED = ExchangeAnswers.class.getName() + ".denied";

    private final Answers answers;

    ExchangeAnswers(Answers answers) {
        this.answers = answers;
    }

    /** The charges of the exchange; new ones, not yet an attribute of it, if there are none. */
    static RequestCharges charges(ServerWebExchange exchange) {
        return RequestCharges.of(exchange.getAttribute(RequestCharges.ATTRIBUTE));
    }

    /** Records what the exchange has been charged to, and sets the headers in place of those set before. */
    void pass(List<BoundRule> due, Verdict verdict, ServerWebExchange exchange) {
        RequestCharges charges = charges(exchange);
        charges.pass(due, verdict);
        exchange.getAttributes().put(RequestCharges.ATTRIBUTE, charges);
        if (charges.verdict().decision() != null) {
            setHeaders(charges.verdict(), exchange.getResponse());
        }
    }

    /** Sets the headers again if calls were charged, unless the exchange was denied. */
    void called(Verdict charged, ServerWebExchange exchange) {
        if (charged.decision() != null && exchange.getAttribute(DENIED) == null) {
            Verdict all = charges(exchange).verdict().and(charged);
            answers.headers(all, exchange.getResponse().getHeaders()::set);
        }
    }

    private void setHeaders(Verdict verdict, ServerHttpResponse response) {
        if (!response.isCommitted()) {
            answers.headers(verdict, response.getHeaders()::set);
        }
    }

    /**
     * Sends the denial as the next task of the connection's event loop, not within the current one: Reactor Netty 1.3.7 never
     * reads from a connection again if a request that had to wait for the previous one is answered while the server is handing it
     * over (reactor-netty issue 4361). From another thread, the answer would be sent before the server knows of it, and the next
     * request would be one that has to wait.
     *
     * <p>A page of another origin that may read the answer may read its headers, too.
     */
    Mono<Void> deny(Verdict verdict, ServerWebExchange exchange) {
        ServerHttpResponse response = exchange.getResponse();
        if (response.isCommitted()) {
            return Mono.empty();
        }
        HttpHeaders headers = response.getHeaders();
        Verdict before = charges(exchange).verdict();
        answers.headers(before, (name, value) -> HeaderValues.remove(headers, name)); // a denial may have fewer headers
        exchange.getAttributes().put(DENIED, true);
        setHeaders(verdict, response);
        if (headers.getFirst(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN) != null) {
            StringJoiner names = new StringJoiner(", ");
            answers.headers(verdict, (name, value) -> names.add(name));
            if (names.length() > 0) {
                headers.add(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS, names.toString());
            }
        }
        byte[] body = answers.body(verdict).getBytes(StandardCharsets.UTF_8);
        response.setStatusCode(HttpStatusCode.valueOf(answers.status(verdict)));
        headers.setContentType(MediaType.parseMediaType(answers.contentType()));
        headers.setContentLength(body.length);
        Mono<Void> written = response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(body)));
        Executor loop = NativeRequest.loop(exchange.getRequest());
        return loop == null ? written : written.subscribeOn(Schedulers.fromExecutor(loop));
    }
}
