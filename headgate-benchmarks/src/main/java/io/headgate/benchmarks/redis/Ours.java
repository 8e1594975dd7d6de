package io.headgate.benchmarks.redis;

import io.headgate.Headgate;
import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.RateLimiter;
import io.headgate.redis.RedisStore;
import io.lettuce.core.RedisClient;

/** Headgate over Redis, as it comes. */
final class Ours implements Checker {

    private final RedisStore store;
    private final RateLimiter limiter;

    Ours(RedisClient client, Limit limit) {
        this.store = RedisStore.builder(client).build();
        this.limiter = Headgate.builder().store(store).build().limiter("api", Plan.of(limit));
    }

    @Override
    public boolean check(String key) {
        return limiter.tryAcquire(key).allowed();
    }

    @Override
    public void close() {
        store.close();
    }
}
