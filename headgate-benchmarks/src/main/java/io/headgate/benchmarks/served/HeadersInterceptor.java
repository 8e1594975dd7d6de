package io.headgate.benchmarks.served;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/** The minimum of a limiter that reports as much as Headgate: sends the five headers, always with the same values, and nothing else. */
final class HeadersInterceptor implements Peer {

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        response.setHeader("RateLimit-Policy", "\"api\";q=9000000;w=60");
        response.setHeader("RateLimit", "\"api\";r=8999999;t=1");
        response.setHeader("X-RateLimit-Limit", "9000000");
        response.setHeader("X-RateLimit-Remaining", "8999999");
        response.setHeader("X-RateLimit-Reset", "1900000000");
        return true;
    }
}
