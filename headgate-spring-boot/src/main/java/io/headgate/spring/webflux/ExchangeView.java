package io.headgate.spring.webflux;

import io.headgate.http.RequestView;
import io.headgate.spring.ForwardedHeaders;
import io.headgate.spring.HandlerPath;
import java.security.Principal;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * An exchange as the gate sees it. Who is at the other end, and which proxies it came through, is read as it {@link Arrival arrived}.
 *
 * @param user what is known of the user by the time that somebody asks
 */
record ExchangeView(ServerWebExchange exchange, String path, CompletableFuture<@Nullable Principal> user)
        implements RequestView {

    private static final CompletableFuture<@Nullable Principal> NOBODY = CompletableFuture.completedFuture(null);

    /** An exchange of nobody, or of somebody who does not matter. */
    static ExchangeView of(ServerWebExchange exchange) {
        return new ExchangeView(exchange, HandlerPath.of(exchange.getRequest().getPath()), NOBODY);
    }

    ExchangeView by(CompletableFuture<@Nullable Principal> somebody) {
        return new ExchangeView(exchange, path, somebody);
    }

    /** Where the connection of that exchange is served. */
    static Scheduler loop(ServerWebExchange exchange) {
        Executor loop = Arrival.loop(exchange.getRequest());
        return loop == null ? Schedulers.parallel() : Schedulers.fromExecutor(loop);
    }

    @Override
    public String method() {
        return exchange.getRequest().getMethod().name();
    }

    @Override
    public List<String> headers(String name) {
        if (ForwardedHeaders.isOne(name)) {
            return Arrival.headers(exchange.getRequest(), name);
        }
        List<String> values = exchange.getRequest().getHeaders().get(name);
        return values == null ? List.of() : values;
    }

    @Override
    public @Nullable String peerAddress() {
        return Arrival.peer(exchange.getRequest());
    }

    /** Fails as the search for the user has, which is for the rule to settle. */
    @Override
    public @Nullable String principal() {
        Principal known = user.getNow(null);
        return known == null ? null : known.getName();
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
