package io.headgate.guide;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.web.servlet.HandlerInterceptor;

// snippet
class HandWritten implements HandlerInterceptor {

    private final StringRedisTemplate redis;

    HandWritten(StringRedisTemplate redis) {
        this.redis = redis;
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        String key = "limit:" + request.getHeader("X-Forwarded-For") + ":" + request.getRequestURI();
        Long count = redis.opsForValue().increment(key);
        if (count != null && count == 1) {
            redis.expire(key, Duration.ofMinutes(1));
        }
        if (count != null && count > 100) {
            response.setStatus(429);
            return false;
        }
        return true;
    }
}
// end
