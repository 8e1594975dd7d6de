package io.headgate.spring;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * The remote address of a connection to Jetty. Under {@code server.forward-headers-strategy: native}, which some platforms enable
 * by default, Jetty's requests report whatever forwarded address a client sends; the connection still has the real one.
 */
public final class JettyPeer {

    private static final boolean PRESENT = isPresent("org.eclipse.jetty.server.Request");
    private static final boolean EE10 = isPresent("org.eclipse.jetty.ee10.servlet.ServletApiRequest");
    private static final boolean EE11 = isPresent("org.eclipse.jetty.ee11.servlet.ServletApiRequest");

    private JettyPeer() {}

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, JettyPeer.class.getClassLoader());
    }

    /** The remote address; {@code null} if {@code arrived} is not a request of Jetty or did not come over a network. */
    public static @Nullable InetSocketAddress of(Object arrived) {
        return PRESENT ? Jetty.peer(arrived) : null;
    }

    /** Loaded only if Jetty is present. */
    private static final class Jetty {

        static @Nullable InetSocketAddress peer(Object arrived) {
            Request request = arrived instanceof Request own ? own : EE11 ? Ee11.request(arrived) : null;
            request = request == null && EE10 ? Ee10.request(arrived) : request;
            if (request == null) {
                return null;
            }
            Connection connection = request.getConnectionMetaData().getConnection();
            SocketAddress peer = connection.getEndPoint().getRemoteSocketAddress();
            return peer instanceof InetSocketAddress address ? address : null;
        }
    }

    /** Servlet 6.1, with Spring Boot 4. */
    private static final class Ee11 {

        static @Nullable Request request(Object arrived) {
            return arrived instanceof org.eclipse.jetty.ee11.servlet.ServletApiRequest servlet
                    ? servlet.getRequest()
                    : null;
        }
    }

    /** Servlet 6.0, with Spring Boot 3. */
    private static final class Ee10 {

        static @Nullable Request request(Object arrived) {
            return arrived instanceof org.eclipse.jetty.ee10.servlet.ServletApiRequest servlet
                    ? servlet.getRequest()
                    : null;
        }
    }
}
