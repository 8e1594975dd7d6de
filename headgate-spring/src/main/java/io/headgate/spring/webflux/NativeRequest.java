package io.headgate.spring.webflux;

import io.headgate.spring.JettyPeer;
import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import jakarta.servlet.http.HttpServletRequest;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.util.ClassUtils;
import reactor.netty.Connection;
import reactor.netty.http.server.HttpServerRequest;

/**
 * Reads a request as it arrived. With {@code server.forward-headers-strategy}, which some platforms set by default, Spring, Reactor
 * Netty and Jetty trust the forwarded address of any client, long before a limit is checked; but only
 * {@code headgate.trusted-proxies} decides whom to trust. For servers unknown to this class, the address that they report is used.
 * Tomcat has its own list of trusted proxies.
 */
final class NativeRequest {

    private static final boolean NETTY = isPresent("reactor.netty.http.server.HttpServerRequest");
    private static final boolean SERVLET = isPresent("jakarta.servlet.http.HttpServletRequest");

    private NativeRequest() {}

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, NativeRequest.class.getClassLoader());
    }

    static List<String> headers(ServerHttpRequest request, String name) {
        Object arrived = arrived(request);
        List<String> values = NETTY ? Netty.headers(arrived, name) : null;
        values = values == null && SERVLET ? Servlet.headers(arrived, name) : values;
        values = values == null ? HeaderValues.get(request.getHeaders(), name) : values;
        return values == null ? List.of() : values;
    }

    /** The remote address of the connection. */
    static @Nullable String peer(ServerHttpRequest request) {
        Object arrived = arrived(request);
        InetSocketAddress peer = NETTY ? Netty.peer(arrived) : null;
        peer = peer == null ? JettyPeer.of(arrived) : peer;
        String text = peer == null && SERVLET ? Servlet.peer(arrived) : null;
        return text != null ? text : text(peer != null ? peer : request.getRemoteAddress());
    }

    private static @Nullable String text(@Nullable InetSocketAddress address) {
        return address == null || address.getAddress() == null
                ? null
                : address.getAddress().getHostAddress();
    }

    /** The event loop of the connection; {@code null} on a server that has none. */
    static @Nullable Executor loop(ServerHttpRequest request) {
        return NETTY ? Netty.loop(arrived(request)) : null;
    }

    /** The server's own request object; the request itself if it did not come from a server, as in tests. */
    private static Object arrived(ServerHttpRequest request) {
        try {
            return ServerHttpRequestDecorator.getNativeRequest(request);
        } catch (IllegalStateException | IllegalArgumentException e) {
            return request;
        }
    }

    /** Loaded only if Reactor Netty is present. */
    private static final class Netty {

        /** The channel attribute in which Reactor Netty keeps the client address of the PROXY protocol; not part of its API. */
        private static final AttributeKey<InetSocketAddress> PROXY_PROTOCOL =
                AttributeKey.valueOf("remoteAddressFromProxyProtocol");

        static @Nullable Executor loop(Object arrived) {
            return arrived instanceof HttpServerRequest && arrived instanceof Connection connection
                    ? connection.channel().eventLoop()
                    : null;
        }

        static @Nullable List<String> headers(Object arrived, String name) {
            return arrived instanceof HttpServerRequest request
                    ? request.requestHeaders().getAll(name)
                    : null;
        }

        /** The address from the PROXY protocol, else that of the connection. The one that the server reports may come from a header. */
        static @Nullable InetSocketAddress peer(Object arrived) {
            if (!(arrived instanceof HttpServerRequest request && arrived instanceof Connection connection)) {
                return null;
            }
            InetSocketAddress told = told(connection.channel());
            if (told != null) {
                return told;
            }
            return request.connectionRemoteAddress() instanceof InetSocketAddress connected
                    ? connected
                    : request.remoteAddress();
        }

        /** In HTTP/2 a request has its own channel, whose parent is that of the connection. */
        private static @Nullable InetSocketAddress told(@Nullable Channel channel) {
            if (channel == null) {
                return null;
            }
            InetSocketAddress told = channel.hasAttr(PROXY_PROTOCOL)
                    ? channel.attr(PROXY_PROTOCOL).get()
                    : null;
            return told != null ? told : told(channel.parent());
        }
    }

    /** Loaded only if the Servlet API is present, through which WebFlux runs on Tomcat and Jetty. */
    private static final class Servlet {

        static @Nullable List<String> headers(Object arrived, String name) {
            Enumeration<String> values =
                    arrived instanceof HttpServletRequest request ? request.getHeaders(name) : null;
            return values == null ? null : Collections.list(values);
        }

        static @Nullable String peer(Object arrived) {
            return arrived instanceof HttpServletRequest request ? request.getRemoteAddr() : null;
        }
    }
}
