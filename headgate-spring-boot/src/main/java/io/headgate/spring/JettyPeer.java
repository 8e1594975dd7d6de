package io.headgate.spring;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.eclipse.jetty.ee11.servlet.ServletApiRequest;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * Who is at the other end of a connection to Jetty. Under {@code server.forward-headers-strategy: native}, which some platforms
 * switch on unasked, Jetty itself believes whatever forwarded address anybody sends; the connection knows better.
 */
public final class JettyPeer {

    private static final boolean PRESENT =
            ClassUtils.isPresent("org.eclipse.jetty.ee11.servlet.ServletApiRequest", JettyPeer.class.getClassLoader());

    private JettyPeer() {}

    /** The address at the other end; {@code null} if that is no request of Jetty, or one that came over no network. */
    public static @Nullable InetSocketAddress of(Object arrived) {
        return PRESENT ? Jetty.peer(arrived) : null;
    }

    /** Looked into only if Jetty is there. */
    private static final class Jetty {

        static @Nullable InetSocketAddress peer(Object arrived) {
            Request request = arrived instanceof ServletApiRequest servlet
                    ? servlet.getRequest()
                    : arrived instanceof Request own ? own : null;
            if (request == null) {
                return null;
            }
            Connection connection = request.getConnectionMetaData().getConnection();
            SocketAddress peer = connection.getEndPoint().getRemoteSocketAddress();
            return peer instanceof InetSocketAddress address ? address : null;
        }
    }
}
