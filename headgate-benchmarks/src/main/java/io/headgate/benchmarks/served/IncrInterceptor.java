package io.headgate.benchmarks.served;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import org.springframework.data.redis.core.StringRedisTemplate;

/** The simplest interceptor that people write: a counter for each address that expires after a minute. */
final class IncrInterceptor implements Peer {

    private final StringRedisTemplate redis;

    IncrInterceptor(StringRedisTemplate redis) {
        this.redis = redis;
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        String key = "rate:" + request.getRemoteAddr();
        Long count = redis.opsForValue().increment(key);
        if (count != null && count == 1) {
            redis.expire(key, Duration.ofMinutes(1));
        }
        boolean allowed = count == null || count <= Front.ENOUGH;
        if (!allowed) {
            response.setStatus(429);
        }
        return allowed;
    }
}
