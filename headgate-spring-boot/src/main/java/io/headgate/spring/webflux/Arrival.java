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
 * A request as it arrived. With {@code server.forward-headers-strategy}, which some platforms switch on unasked, Spring, Reactor
 * Netty and Jetty believe whatever forwarded address anybody sends, and that long before a limit is checked; who may be believed
 * is for {@code headgate.trusted-proxies} to say. Of servers that are not known here their word has to do, and Tomcat has a list of its
 * own.
 */
final class Arrival {

    private static final boolean NETTY = isPresent("reactor.netty.http.server.HttpServerRequest");
    private static final boolean SERVLET = isPresent("jakarta.servlet.http.HttpServletRequest");

    private Arrival() {}

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, Arrival.class.getClassLoader());
    }

    static List<String> headers(ServerHttpRequest request, String name) {
        Object arrived = arrived(request);
        List<String> values = NETTY ? Netty.headers(arrived, name) : null;
        values = values == null && SERVLET ? Servlet.headers(arrived, name) : values;
        values = values == null ? request.getHeaders().get(name) : values;
        return values == null ? List.of() : values;
    }

    /** The address at the other end of the connection. */
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

    /** What its connection is served by; {@code null} on a server that has no such thing. */
    static @Nullable Executor loop(ServerHttpRequest request) {
        return NETTY ? Netty.loop(arrived(request)) : null;
    }

    /** The request of the server; the request itself if no server has seen it, as in tests. */
    private static Object arrived(ServerHttpRequest request) {
        try {
            return ServerHttpRequestDecorator.getNativeRequest(request);
        } catch (IllegalStateException | IllegalArgumentException e) {
            return request;
        }
    }

    /** Looked into only if Reactor Netty is there. */
    private static final class Netty {

        /** Where Reactor Netty keeps it, which it tells nobody. */
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

        /** Whom the PROXY protocol told of, or else the other end. The server's own word may be that of a header. */
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

        /** In HTTP/2 a request has a channel of its own within that of the connection. */
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

    /** Looked into only if there are servlets, in which WebFlux runs on Tomcat and Jetty. */
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
