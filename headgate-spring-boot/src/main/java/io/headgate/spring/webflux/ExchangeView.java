package io.headgate.spring.webflux;

import io.headgate.http.RequestView;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.RequestPath;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ServerWebExchange;

/** An exchange as the gate sees it. */
record ExchangeView(
        ServerWebExchange exchange, String path, @Nullable String principal) implements RequestView {

    static ExchangeView of(ServerWebExchange exchange, @Nullable String principal) {
        return new ExchangeView(exchange, path(exchange.getRequest().getPath()), principal);
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
        List<String> values = exchange.getRequest().getHeaders().get(name);
        return values == null ? List.of() : values;
    }

    @Override
    public @Nullable String peerAddress() {
        InetSocketAddress peer = exchange.getRequest().getRemoteAddress();
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
