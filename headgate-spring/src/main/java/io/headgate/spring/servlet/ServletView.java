package io.headgate.spring.servlet;

import io.headgate.http.RequestView;
import io.headgate.spring.ForwardedHeaders;
import io.headgate.spring.HandlerPath;
import io.headgate.spring.JettyPeer;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.net.InetSocketAddress;
import java.security.Principal;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.RequestPath;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.UrlPathHelper;

/**
 * A servlet request as the gate sees it.
 *
 * <p>The peer address and the forwarded headers are read from the request of the container: a filter that trusts forwarded headers
 * from any client may have wrapped it.
 */
public final class ServletView implements RequestView {

    private final HttpServletRequest request;
    private final String path;

    private ServletView(HttpServletRequest request, String path) {
        this.request = request;
        this.path = path;
    }

    /** The view of a request whose handler has been found. */
    public static ServletView handled(HttpServletRequest request) {
        return request.getAttribute(ServletRequestPathUtils.PATH_ATTRIBUTE) instanceof RequestPath parsed
                ? new ServletView(request, HandlerPath.of(parsed))
                : new ServletView(request, UrlPathHelper.getResolvedLookupPath(request));
    }

    /** The view of a request whose handler is being called, possibly by other code than Spring MVC. */
    static ServletView called(HttpServletRequest request) {
        return request.getAttribute(ServletRequestPathUtils.PATH_ATTRIBUTE) instanceof RequestPath parsed
                ? new ServletView(request, HandlerPath.of(parsed))
                : new ServletView(request, request.getRequestURI());
    }

    /** The view of a request whose handler is not known yet; {@code null} if its path is malformed, so that no handler matches it. */
    static @Nullable ServletView arriving(HttpServletRequest request, OtherServlets others) {
        try {
            return new ServletView(
                    request,
                    others.serve(request)
                            ? OtherServlets.path(request)
                            : HandlerPath.of(ServletRequestPathUtils.parse(request)));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    @Override
    public String method() {
        return request.getMethod();
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public List<String> headers(String name) {
        boolean wrapped = request instanceof ServletRequestWrapper;
        return list((wrapped && ForwardedHeaders.isOne(name) ? container(request) : request).getHeaders(name));
    }

    /** Reads the query itself: the container would also read the body of a form, which is then missing where it is needed. */
    @Override
    public List<String> queryParameters(String name) {
        return QueryString.values(request.getQueryString(), name);
    }

    @Override
    public List<String> cookies(String name) {
        Cookie[] cookies = request.getCookies();
        return cookies == null
                ? List.of()
                : Arrays.stream(cookies)
                        .filter(cookie -> cookie.getName().equals(name))
                        .map(Cookie::getValue)
                        .toList();
    }

    @Override
    public @Nullable String pathVariable(String name) {
        return request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE) instanceof Map<?, ?> variables
                        && variables.get(name) instanceof String value
                ? value
                : null;
    }

    private static List<String> list(@Nullable Enumeration<String> values) {
        return values == null || !values.hasMoreElements() ? List.of() : Collections.list(values);
    }

    @Override
    public @Nullable String peerAddress() {
        HttpServletRequest arrived = container(request);
        InetSocketAddress connected = JettyPeer.of(arrived);
        return connected == null || connected.getAddress() == null
                ? arrived.getRemoteAddr()
                : connected.getAddress().getHostAddress();
    }

    private static HttpServletRequest container(HttpServletRequest request) {
        ServletRequest inner = request;
        while (inner instanceof ServletRequestWrapper wrapper) {
            inner = wrapper.getRequest();
        }
        return inner instanceof HttpServletRequest http ? http : request;
    }

    @Override
    public @Nullable String principal() {
        Principal principal = request.getUserPrincipal();
        return principal == null ? null : principal.getName();
    }

    @Override
    public @Nullable String route() {
        Object pattern = request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
        return pattern == null ? null : pattern.toString();
    }

    @Override
    public @Nullable Object attribute(String name) {
        return request.getAttribute(name);
    }

    @Override
    public Object nativeRequest() {
        return request;
    }
}
