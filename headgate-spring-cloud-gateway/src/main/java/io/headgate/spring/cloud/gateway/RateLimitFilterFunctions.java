package io.headgate.spring.cloud.gateway;

import io.headgate.http.RequestViewDecorator;
import io.headgate.http.Verdict;
import io.headgate.spring.ForwardedHeaders;
import io.headgate.spring.servlet.RequestGate;
import io.headgate.spring.servlet.ServletView;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.cloud.gateway.server.mvc.common.Configurable;
import org.springframework.cloud.gateway.server.mvc.common.MvcUtils;
import org.springframework.cloud.gateway.server.mvc.common.Shortcut;
import org.springframework.cloud.gateway.server.mvc.filter.SimpleFilterSupplier;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/** The filter {@code RateLimit} of the MVC gateway, which finds it by the name of the method. */
public final class RateLimitFilterFunctions {

    private RateLimitFilterFunctions() {}

    /** The filter with these arguments. Mistakes in them show at start-up if they are written in properties, else in the first request. */
    @Configurable
    @Shortcut({"limit", "subject", "name"})
    public static HandlerFilterFunction<ServerResponse, ServerResponse> rateLimit(RateLimitArguments written) {
        return new RouteFilter(written);
    }

    /** Makes the gateway look here; {@code META-INF/spring.factories} names it. */
    public static final class FilterSupplier extends SimpleFilterSupplier {

        public FilterSupplier() {
            super(RateLimitFilterFunctions.class);
        }
    }

    /** The gateway makes filters without knowing beans or routes, so both are looked up at the first request of a route. */
    private static final class RouteFilter implements HandlerFilterFunction<ServerResponse, ServerResponse> {

        private final RateLimitArguments written;
        private final Map<String, Gated> routes = new ConcurrentHashMap<>();

        /** Both are {@code null} if Headgate is disabled. */
        private record Gated(
                @Nullable RouteLimit limit, @Nullable RequestGate gate) {}

        RouteFilter(RateLimitArguments written) {
            this.written = written;
        }

        @Override
        public ServerResponse filter(ServerRequest request, HandlerFunction<ServerResponse> next) throws Exception {
            String route = MvcUtils.getAttribute(request, MvcUtils.GATEWAY_ROUTE_ID_ATTR);
            if (route == null) {
                throw new IllegalStateException("the filter " + written + " is not part of a route of the gateway");
            }
            Gated gated = routes.get(route);
            if (gated == null) {
                gated = gated(route, MvcUtils.getApplicationContext(request));
                routes.put(route, gated);
            }
            RouteLimit limit = gated.limit;
            RequestGate gate = gated.gate;
            if (limit == null || gate == null) {
                return next.handle(request);
            }
            HttpServletRequest servlet = request.servletRequest();
            Verdict denial =
                    gate.check(new GatewayView(request), limit.rules(request.attributes()), servlet, response());
            return denial == null
                    ? next.handle(request)
                    : ServerResponse.status(gate.status(denial)).build((arrived, response) -> {
                        gate.deny(denial, arrived, response);
                        return null;
                    });
        }

        private Gated gated(String route, BeanFactory beans) {
            RouteLimits limits = beans.getBeanProvider(RouteLimits.class).getIfAvailable();
            return limits == null
                    ? new Gated(null, null)
                    : new Gated(limits.read(route, written), beans.getBean(RequestGate.class));
        }

        /** The response of the request; {@code null} on a thread that is not the request's, such as behind a circuit breaker. */
        private static @Nullable HttpServletResponse response() {
            return RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes attributes
                    ? attributes.getResponse()
                    : null;
        }

        @Override
        public String toString() {
            return written.toString();
        }
    }

    /** The request with the headers that the filters before have given it. What proxies report is read as it arrived. */
    private static final class GatewayView extends RequestViewDecorator {

        private final ServerRequest request;

        GatewayView(ServerRequest request) {
            super(ServletView.handled(request.servletRequest()));
            this.request = request;
        }

        @Override
        public List<String> headers(String name) {
            return ForwardedHeaders.isOne(name)
                    ? super.headers(name)
                    : request.headers().header(name);
        }
    }
}
