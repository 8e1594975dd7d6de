package io.headgate.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The parts of a request that limiting needs. An adapter wraps the request of its framework without copying anything. */
public interface RequestView {

    /** Stands for the request where there is none: nothing is known of it. */
    static RequestView none() {
        return NoRequest.INSTANCE;
    }

    /** The method as it was sent, such as {@code GET}. */
    String method();

    /**
     * The path within the application as the framework parsed it to find a handler: decoded, without parameters or query. A slash that
     * was sent encoded stays {@code %2F}. An empty path means the root. If whoever serves the path could read it in another way, a
     * {@link RuleSet} applies the rules of that reading, too.
     */
    String path();

    /** The values of a header, one for each header line, in the order they were received; empty if the header is missing. */
    List<String> headers(String name);

    /**
     * The values of a parameter in the query of the URL, decoded, in the order they were received; empty if it is missing. The body
     * of a form is not read.
     */
    default List<String> queryParameters(String name) {
        return List.of();
    }

    /** The values of the cookies of that name; empty if there is none. */
    default List<String> cookies(String name) {
        return List.of();
    }

    /**
     * The value of a variable in the path: of the path template of the handler or, to the resolvers of a rule, of the pattern of that
     * rule. {@code null} if there is no such variable.
     */
    default @Nullable String pathVariable(String name) {
        return null;
    }

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

    /**
     * The request of the framework, for custom resolvers: an {@code HttpServletRequest} or a {@code ServerWebExchange}; {@code null}
     * if there is none.
     */
    default @Nullable Object nativeRequest() {
        return null;
    }
}
