package io.headgate.benchmarks.served;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.DefaultRedisScript;
import org.springframework.data.redis.core.script.RedisScript;

/** The interceptor that tutorials show: a window per client, counted by a script so that no counter lacks a TTL, and headers. */
final class TutorialInterceptor implements Peer {

    private static final long SECONDS = 60;

    private static final RedisScript<Long> COUNT = new DefaultRedisScript<>("""
            local count = redis.call('INCR', KEYS[1])
            if count == 1 then
              redis.call('EXPIRE', KEYS[1], ARGV[1])
            end
            return count
            """, Long.class);

    private final StringRedisTemplate redis;

    TutorialInterceptor(StringRedisTemplate redis) {
        this.redis = redis;
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        String key = request.getHeader("X-API-Key");
        String client = key == null ? request.getRemoteAddr() : key;
        Long counted = redis.execute(COUNT, List.of("rate:" + client), Long.toString(SECONDS));
        long count = counted == null ? 0 : counted;
        response.setHeader("X-RateLimit-Limit", Long.toString(Front.ENOUGH));
        response.setHeader("X-RateLimit-Remaining", Long.toString(Math.max(0, Front.ENOUGH - count)));
        if (count > Front.ENOUGH) {
            response.setStatus(429);
            response.setHeader("Retry-After", Long.toString(SECONDS));
        }
        return count <= Front.ENOUGH;
    }
}
