package io.headgate.spring.webflux;

import io.headgate.spring.CurrentRequest;
import java.security.Principal;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.codec.multipart.Part;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.util.MultiValueMap;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import org.springframework.web.server.WebSession;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * An exchange whose handler reports its charges, whichever argument it has to wait for: Spring calls a handler on the thread that brings
 * the last argument.
 */
final class ReportedExchange extends ServerWebExchangeDecorator {

    private final CurrentRequest current;
    private final ServerHttpRequest request;

    ReportedExchange(ServerWebExchange exchange, CurrentRequest current) {
        super(exchange);
        this.current = current;
        this.request = new ServerHttpRequestDecorator(exchange.getRequest()) {
            @Override
            public Flux<DataBuffer> getBody() {
                return ReportedSignals.of(super.getBody(), current);
            }
        };
    }

    @Override
    public ServerHttpRequest getRequest() {
        return request;
    }

    @Override
    public Mono<MultiValueMap<String, String>> getFormData() {
        return ReportedSignals.of(super.getFormData(), current);
    }

    @Override
    public Mono<MultiValueMap<String, Part>> getMultipartData() {
        return ReportedSignals.of(super.getMultipartData(), current);
    }

    @Override
    public Mono<WebSession> getSession() {
        return ReportedSignals.of(super.getSession(), current);
    }

    @Override
    public <T extends Principal> Mono<T> getPrincipal() {
        return ReportedSignals.of(super.<T>getPrincipal(), current);
    }
}
