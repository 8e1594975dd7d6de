package io.headgate.spring;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.eclipse.jetty.ee11.servlet.ServletApiRequest;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * The remote address of a connection to Jetty. Under {@code server.forward-headers-strategy: native}, which some platforms enable
 * by default, Jetty's requests report whatever forwarded address a client sends; the connection still has the real one.
 */
public final class JettyPeer {

    private static final boolean PRESENT =
            ClassUtils.isPresent("org.eclipse.jetty.ee11.servlet.ServletApiRequest", JettyPeer.class.getClassLoader());

    private JettyPeer() {}

    /** The remote address; {@code null} if {@code arrived} is not a request of Jetty or did not come over a network. */
    public static @Nullable InetSocketAddress of(Object arrived) {
        return PRESENT ? Jetty.peer(arrived) : null;
    }

    /** Loaded only if Jetty is present. */
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
