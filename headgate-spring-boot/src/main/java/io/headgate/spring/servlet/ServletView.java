package io.headgate.spring.servlet;

import io.headgate.http.RequestView;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.RequestPath;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.UrlPathHelper;

/**
 * A servlet request as the gate sees it.
 *
 * <p>Who is at the other end, and which proxies the request came through, is read from the request of the container: a filter that
 * takes forwarded headers at their word, from anybody, has wrapped it by now.
 */
public final class ServletView implements RequestView {

    private final HttpServletRequest request;
    private final String path;

    private ServletView(HttpServletRequest request, String path) {
        this.request = request;
        this.path = path;
    }

    /** A request that a handler was found for. */
    public static ServletView handled(HttpServletRequest request) {
        if (ServletRequestPathUtils.hasParsedRequestPath(request)) {
            return new ServletView(request, path(ServletRequestPathUtils.getParsedRequestPath(request)));
        }
        return new ServletView(request, UrlPathHelper.getResolvedLookupPath(request));
    }

    /** A request that is still on its way to a handler; {@code null} if its path is spelt so that Spring finds none for it. */
    static @Nullable ServletView arriving(HttpServletRequest request) {
        try {
            return new ServletView(request, path(ServletRequestPathUtils.parse(request)));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** The path as handlers are matched with it. A slash that was sent encoded is part of its segment and separates nothing. */
    private static String path(RequestPath parsed) {
        StringBuilder path = new StringBuilder(64);
        for (PathContainer.Element element : parsed.pathWithinApplication().elements()) {
            if (element instanceof PathContainer.PathSegment segment) {
                String value = segment.valueToMatch();
                path.append(value.indexOf('/') < 0 ? value : value.replace("/", "%2F"));
            } else {
                path.append(element.value());
            }
        }
        return path.toString();
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
        return list((forwarded(name) ? container(request) : request).getHeaders(name));
    }

    private static List<String> list(@Nullable Enumeration<String> values) {
        return values == null || !values.hasMoreElements() ? List.of() : Collections.list(values);
    }

    private static boolean forwarded(String name) {
        return name.toLowerCase(Locale.ROOT).contains("forwarded");
    }

    @Override
    public @Nullable String peerAddress() {
        return container(request).getRemoteAddr();
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
}
