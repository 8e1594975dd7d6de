package io.headgate.spring.webflux;

import io.headgate.http.Gate;
import io.headgate.http.RequestView;
import io.headgate.http.Verdict;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.RequestPath;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** An exchange as the gate sees it. Who is at the other end, and which proxies it came through, is read as it {@link Arrival arrived}. */
record ExchangeView(
        ServerWebExchange exchange, String path, @Nullable String principal) implements RequestView {

    static ExchangeView of(ServerWebExchange exchange, @Nullable String principal) {
        return new ExchangeView(exchange, path(exchange.getRequest().getPath()), principal);
    }

    /**
     * What the gate says. It is told on a thread that may go on to the handler: on one that reads the answers of a store, whoever
     * waits for the store there waits for himself.
     */
    Mono<Verdict> through(Gate gate) {
        CompletableFuture<Verdict> verdict = gate.checkAsync(this);
        Mono<Verdict> told = Mono.fromFuture(verdict, true);
        return verdict.isDone() ? told : told.publishOn(Schedulers.parallel());
    }

    /** The path as handlers are matched with it. A slash that was sent encoded is part of its segment and separates nothing. */
    private static String path(RequestPath parsed) {
        StringBuilder path = new StringBuilder(64);
        for (PathContainer.Element element : parsed.pathWithinApplication().elements()) {
            if (element instanceof PathContainer.PathSegment segment) {
                String value = segment.valueToMatch();
                path.append(value.indexOf('/') < 0 ? value : value.replace("/", "%2F"));
            } else {
                path.append(element.value());
            }
        }
        return path.toString();
    }

    @Override
    public String method() {
        return exchange.getRequest().getMethod().name();
    }

    @Override
    public List<String> headers(String name) {
        if (forwarded(name)) {
            return Arrival.headers(exchange.getRequest(), name);
        }
        List<String> values = exchange.getRequest().getHeaders().get(name);
        return values == null ? List.of() : values;
    }

    private static boolean forwarded(String name) {
        return name.toLowerCase(Locale.ROOT).contains("forwarded");
    }

    @Override
    public @Nullable String peerAddress() {
        InetSocketAddress peer = Arrival.peer(exchange.getRequest());
        return peer == null || peer.getAddress() == null
                ? null
                : peer.getAddress().getHostAddress();
    }

    @Override
    public @Nullable String route() {
        Object pattern = exchange.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
        return pattern == null ? null : pattern.toString();
    }

    @Override
    public @Nullable Object attribute(String name) {
        return exchange.getAttribute(name);
    }
}
