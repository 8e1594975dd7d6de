package io.headgate.benchmarks.redis;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson's limiter, with its default connection pool. */
final class Redisson implements Checker {

    private final RedissonClient client;
    private final int permits;
    private final ConcurrentHashMap<String, RRateLimiter> limiters = new ConcurrentHashMap<>();

    Redisson(String uri, int permits) {
        Config config = new Config();
        config.useSingleServer().setAddress(uri);
        this.client = org.redisson.Redisson.create(config);
        this.permits = permits;
    }

    @Override
    public void prepare(String key) {
        RRateLimiter limiter = client.getRateLimiter(key);
        limiter.trySetRate(RateType.OVERALL, permits, Duration.ofDays(1));
        limiters.put(key, limiter);
    }

    @Override
    public boolean check(String key) {
        RRateLimiter limiter = limiters.get(key);
        if (limiter == null) {
            throw new IllegalStateException("not prepared: " + key);
        }
        return limiter.tryAcquire();
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
