package io.headgate.benchmarks.redis;

import io.headgate.Headgate;
import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.RateLimiter;
import io.headgate.redis.RedisStore;
import io.headgate.redis.RedisStoreBuilder;

/** Headgate over Redis. */
final class Ours implements Checker {

    private final RedisStore store;
    private final RateLimiter limiter;

    Ours(RedisStoreBuilder store, Limit limit) {
        this.store = store.build();
        this.limiter = Headgate.builder().store(this.store).unguarded().build().limiter("api", Plan.of(limit));
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
