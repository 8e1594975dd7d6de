package io.headgate.spring.webflux;

import io.netty.handler.codec.http.HttpHeaders;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.util.ClassUtils;
import reactor.netty.Connection;
import reactor.netty.http.server.HttpServerRequest;

/**
 * A request as it arrived. With {@code server.forward-headers-strategy}, which some platforms switch on unasked, Spring and
 * Reactor Netty believe whatever forwarded address anybody sends, and that long before a limit is checked; who may be believed
 * is for {@code headgate.trusted-proxies} to say. On servers other than Reactor Netty their word has to do.
 */
final class Arrival {

    private static final boolean NETTY =
            ClassUtils.isPresent("reactor.netty.http.server.HttpServerRequest", Arrival.class.getClassLoader());

    private Arrival() {}

    static List<String> headers(ServerHttpRequest request, String name) {
        List<String> values = NETTY ? Netty.headers(request, name) : null;
        values = values != null ? values : request.getHeaders().get(name);
        return values == null ? List.of() : values;
    }

    /** Who is at the other end of the connection. */
    static @Nullable InetSocketAddress peer(ServerHttpRequest request) {
        InetSocketAddress peer = NETTY ? Netty.peer(request) : null;
        return peer != null ? peer : request.getRemoteAddress();
    }

    /** What its connection is served by; {@code null} on a server that has no such thing. */
    static @Nullable Executor loop(ServerHttpRequest request) {
        return NETTY ? Netty.loop(request) : null;
    }

    /** Looked into only if Reactor Netty is there. */
    private static final class Netty {

        private static @Nullable HttpServerRequest of(ServerHttpRequest request) {
            try {
                return ServerHttpRequestDecorator.getNativeRequest(request) instanceof HttpServerRequest arrived
                        ? arrived
                        : null;
            } catch (IllegalStateException | IllegalArgumentException e) {
                return null; // a request that no server has seen, as in tests
            }
        }

        static @Nullable Executor loop(ServerHttpRequest request) {
            return of(request) instanceof Connection connection
                    ? connection.channel().eventLoop()
                    : null;
        }

        static @Nullable List<String> headers(ServerHttpRequest request, String name) {
            HttpServerRequest arrived = of(request);
            return arrived == null ? null : arrived.requestHeaders().getAll(name);
        }

        /** The server's word, which knows the PROXY protocol, unless somebody sent a header that it may have taken it from. */
        static @Nullable InetSocketAddress peer(ServerHttpRequest request) {
            HttpServerRequest arrived = of(request);
            if (arrived == null) {
                return null;
            }
            HttpHeaders headers = arrived.requestHeaders();
            return (headers.contains("X-Forwarded-For") || headers.contains("Forwarded"))
                            && arrived.connectionRemoteAddress() instanceof InetSocketAddress connected
                    ? connected
                    : arrived.remoteAddress();
        }
    }
}
