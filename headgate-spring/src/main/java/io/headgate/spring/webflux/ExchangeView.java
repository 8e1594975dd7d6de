package io.headgate.spring.webflux;

import io.headgate.http.RequestView;
import io.headgate.spring.ForwardedHeaders;
import io.headgate.spring.HandlerPath;
import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpCookie;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * An exchange as the gate sees it. The peer address and the forwarded headers are read as they {@link NativeRequest arrived}.
 *
 * @param user the user, complete by the time that the gate asks for the principal
 */
record ExchangeView(ServerWebExchange exchange, String path, CompletableFuture<@Nullable Principal> user)
        implements RequestView {

    private static final CompletableFuture<@Nullable Principal> NOBODY = CompletableFuture.completedFuture(null);

    /** The view of an exchange that has no user, or whose user does not matter. */
    static ExchangeView of(ServerWebExchange exchange) {
        return new ExchangeView(exchange, HandlerPath.of(exchange.getRequest().getPath()), NOBODY);
    }

    ExchangeView by(CompletableFuture<@Nullable Principal> somebody) {
        return new ExchangeView(exchange, path, somebody);
    }

    /** The event loop of that exchange's connection; Reactor's parallel scheduler on a server without event loops. */
    static Scheduler loop(ServerWebExchange exchange) {
        Executor loop = NativeRequest.loop(exchange.getRequest());
        return loop == null ? Schedulers.parallel() : Schedulers.fromExecutor(loop);
    }

    @Override
    public String method() {
        return exchange.getRequest().getMethod().name();
    }

    @Override
    public List<String> headers(String name) {
        if (ForwardedHeaders.isOne(name)) {
            return NativeRequest.headers(exchange.getRequest(), name);
        }
        List<String> values = HeaderValues.get(exchange.getRequest().getHeaders(), name);
        return values == null ? List.of() : values;
    }

    @Override
    public List<String> queryParameters(String name) {
        List<@Nullable String> values = exchange.getRequest().getQueryParams().get(name);
        return values == null
                ? List.of()
                : values.stream().map(value -> value == null ? "" : value).toList();
    }

    @Override
    public List<String> cookies(String name) {
        List<HttpCookie> cookies = exchange.getRequest().getCookies().get(name);
        return cookies == null
                ? List.of()
                : cookies.stream().map(HttpCookie::getValue).toList();
    }

    @Override
    public @Nullable String pathVariable(String name) {
        Map<String, String> variables = exchange.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE);
        return variables == null ? null : variables.get(name);
    }

    @Override
    public @Nullable String peerAddress() {
        return NativeRequest.peer(exchange.getRequest());
    }

    /** Throws if the lookup of the user failed; the rule's failure policy then decides. */
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

    @Override
    public Object nativeRequest() {
        return exchange;
    }
}
