package io.headgate.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The parts of a request that limiting needs. An adapter wraps the request of its framework without copying anything. */
public interface RequestView {

    /** The method as it was sent, such as {@code GET}. */
    String method();

    /**
     * The path within the application as the framework parsed it to find a handler: decoded, without parameters or query. A slash that
     * was sent encoded stays {@code %2F}. An empty path means the root. If whoever serves the path could read it in another way, the
     * {@link Gate} applies the rules of that reading, too.
     */
    String path();

    /** The values of a header, one for each header line, in the order they were received; empty if the header is missing. */
    List<String> headers(String name);

    /** The address of the peer of the connection, as a literal; {@code null} if it is unknown. */
    @Nullable
    String peerAddress();

    /** The name of the authenticated user; {@code null} if there is none, or none yet. */
    @Nullable
    String principal();

    /** The path template of the handler, such as {@code /orders/{id}}; {@code null} if no handler was found, or not yet. */
    @Nullable
    String route();

    /** The attribute that the framework keeps with the request under that name, for custom resolvers. */
    default @Nullable Object attribute(String name) {
        return null;
    }
}
