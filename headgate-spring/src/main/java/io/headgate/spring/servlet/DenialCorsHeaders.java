package io.headgate.spring.servlet;

import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.CorsConfigurationSource;
import org.springframework.web.cors.CorsUtils;
import org.springframework.web.cors.DefaultCorsProcessor;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;

/** Adds the CORS headers that a request would get further down the chain, so that a page of another origin can read a denial. */
public final class DenialCorsHeaders {

    private final Function<HttpServletRequest, List<Filter>> filters;
    private final Supplier<List<CorsConfigurationSource>> sources;
    private final Supplier<List<HandlerMapping>> mappings;

    /**
     * Consults the application's CORS filters first, then its configuration sources, and then its handler mappings.
     *
     * @param filters the CORS filters that a request will meet; called late, because they exist only once all other beans do
     */
    public DenialCorsHeaders(
            Function<HttpServletRequest, List<Filter>> filters,
            Supplier<List<CorsConfigurationSource>> sources,
            Supplier<List<HandlerMapping>> mappings) {
        this.filters = filters;
        this.sources = sources;
        this.mappings = mappings;
    }

    /** Whether a CORS filter will answer the preflight, whatever servlet it is meant for. */
    boolean answersPreflight(HttpServletRequest preflight) {
        try {
            return !filters.apply(preflight).isEmpty();
        } catch (RuntimeException e) {
            return false; // the filter fails on this request, too
        }
    }

    /** Adds the headers; {@code false} if the origin is rejected, which the response then says already. */
    boolean addTo(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException {
        CorsConfiguration configuration;
        try {
            if (!CorsUtils.isCorsRequest(request)) {
                return true;
            }
            for (Filter filter : filters.apply(request)) {
                if (!passes(filter, request, response)) {
                    return false;
                }
            }
            configuration = configuration(request);
        } catch (RuntimeException e) {
            return true; // an invalid origin or a failing source: the denial is sent without CORS headers
        }
        return configuration == null || new DefaultCorsProcessor().processRequest(configuration, request, response);
    }

    /** Whether a filter lets the request pass; it has then added its headers, if it has any. */
    private static boolean passes(Filter filter, HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        AtomicBoolean passed = new AtomicBoolean();
        filter.doFilter(request, response, (onwards, back) -> passed.set(true));
        return passed.get();
    }

    private @Nullable CorsConfiguration configuration(HttpServletRequest request) {
        ServletRequestPathUtils.parseAndCache(request);
        try {
            for (CorsConfigurationSource source : sources.get()) {
                CorsConfiguration found = source.getCorsConfiguration(request);
                if (found != null && found.checkOrigin(request.getHeader(HttpHeaders.ORIGIN)) != null) {
                    return found; // a source that rejects the origin may be meant for other handlers
                }
            }
            return ofHandler(request);
        } finally {
            ServletRequestPathUtils.clearParsedRequestPath(request);
        }
    }

    private @Nullable CorsConfiguration ofHandler(HttpServletRequest request) {
        for (HandlerMapping mapping : mappings.get()) {
            HandlerExecutionChain chain = chain(mapping, request);
            if (chain != null) {
                return chain.getInterceptorList().stream()
                        .filter(CorsConfigurationSource.class::isInstance)
                        .map(source -> ((CorsConfigurationSource) source).getCorsConfiguration(request))
                        .findFirst()
                        .orElse(null);
            }
        }
        return null;
    }

    /** The handler with its interceptors; {@code null} if there is none, or if the request is wrong for it, which is reported elsewhere. */
    private static @Nullable HandlerExecutionChain chain(HandlerMapping mapping, HttpServletRequest request) {
        try {
            return mapping.getHandler(request);
        } catch (Exception e) {
            return null;
        }
    }
}
