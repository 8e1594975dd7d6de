package io.headgate.benchmarks.redis;

import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.BucketProxy;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.distributed.proxy.optimization.Optimization;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.lettuce.core.RedisClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;

/** Bucket4j over Lettuce. Keeps its bucket objects, because an optimization works within one of them. */
final class Bucket4j implements Checker {

    private final ProxyManager<byte[]> manager;
    private final Optimization optimization;
    private final BucketConfiguration configuration;
    private final ConcurrentHashMap<String, BucketProxy> buckets = new ConcurrentHashMap<>();

    Bucket4j(RedisClient client, int permits, Optimization optimization) {
        this.manager = Bucket4jLettuce.casBasedBuilder(client)
                .expirationAfterWrite(
                        ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(Duration.ofSeconds(1)))
                .build();
        this.optimization = optimization;
        this.configuration = BucketConfiguration.builder()
                .addLimit(limit -> limit.capacity(permits).refillGreedy(permits, Duration.ofDays(1)))
                .build();
    }

    @Override
    public boolean check(String key) {
        return buckets.computeIfAbsent(key, this::bucket)
                .tryConsumeAndReturnRemaining(1)
                .isConsumed();
    }

    private BucketProxy bucket(String key) {
        return manager.builder()
                .withOptimization(optimization)
                .build(key.getBytes(StandardCharsets.UTF_8), () -> configuration);
    }
}
