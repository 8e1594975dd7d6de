package io.headgate.spring.servlet;

import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
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

/** Adds the CORS headers that a request would have got further down, so that a page of another origin can read a refusal. */
public final class CorsOfHandlers {

    private final Supplier<List<Filter>> filters;
    private final Supplier<List<CorsConfigurationSource>> sources;
    private final Supplier<List<HandlerMapping>> mappings;

    /**
     * Asks the application's filters first, then its sources, and then whoever has its handlers.
     *
     * @param filters those that are about CORS, asked late: they exist only when everything else does
     */
    public CorsOfHandlers(
            Supplier<List<Filter>> filters,
            Supplier<List<CorsConfigurationSource>> sources,
            Supplier<List<HandlerMapping>> mappings) {
        this.filters = filters;
        this.sources = sources;
        this.mappings = mappings;
    }

    /** Adds the headers; {@code false} if the origin is refused, and the response says so already. */
    boolean allow(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException {
        CorsConfiguration configuration;
        try {
            if (!CorsUtils.isCorsRequest(request)) {
                return true;
            }
            for (Filter filter : filters.get()) {
                if (!passes(filter, request, response)) {
                    return false;
                }
            }
            configuration = configuration(request);
        } catch (RuntimeException e) {
            return true; // an origin or a source that makes no sense: the refusal stands, without headers
        }
        return configuration == null || new DefaultCorsProcessor().processRequest(configuration, request, response);
    }

    /** Whether a filter lets the request pass; its headers are there then, if it has something to say. */
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
                    return found; // one that does not know the origin is perhaps for others than this handler
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

    /** The handler and what surrounds it; nothing if the request is wrong for it, which is for others to say. */
    private static @Nullable HandlerExecutionChain chain(HandlerMapping mapping, HttpServletRequest request) {
        try {
            return mapping.getHandler(request);
        } catch (Exception e) {
            return null;
        }
    }
}
