package io.headgate.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request as far as limiting is concerned. An adapter makes one over the request of its framework, copying nothing. */
public interface RequestView {

    /** The method as it was sent, such as {@code GET}. */
    String method();

    /**
     * The path within the application as the framework parsed it to find a handler: decoded, without parameters or query. An empty
     * one is the root.
     */
    String path();

    /** The values of a header, one for each line, in the order they came; empty if there is none. */
    List<String> headers(String name);

    /** The address at the other end of the connection, as a literal; {@code null} if nobody knows. */
    @Nullable
    String peerAddress();

    /** The name of the authenticated user; {@code null} if there is none, or none yet. */
    @Nullable
    String principal();

    /** The template of the handler that was found, such as {@code /orders/{id}}; {@code null} if none was, or not yet. */
    @Nullable
    String route();

    /** What the framework keeps with the request under that name; for resolvers of your own. */
    default @Nullable Object attribute(String name) {
        return null;
    }
}
