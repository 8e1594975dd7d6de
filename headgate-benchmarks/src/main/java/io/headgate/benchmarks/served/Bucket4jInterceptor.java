package io.headgate.benchmarks.served;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;

/** The interceptor that users of Bucket4j write: a bucket for each address, and the remaining tokens in a header. */
final class Bucket4jInterceptor implements Peer {

    private final ConcurrentHashMap<String, Bucket> buckets = new ConcurrentHashMap<>();

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        ConsumptionProbe probe = buckets.computeIfAbsent(request.getRemoteAddr(), address -> bucket())
                .tryConsumeAndReturnRemaining(1);
        response.setHeader("X-RateLimit-Remaining", Long.toString(probe.getRemainingTokens()));
        if (!probe.isConsumed()) {
            response.setStatus(429);
        }
        return probe.isConsumed();
    }

    private static Bucket bucket() {
        return Bucket.builder()
                .addLimit(limit -> limit.capacity(Front.ENOUGH).refillGreedy(Front.ENOUGH, Duration.ofMinutes(1)))
                .build();
    }
}
