package io.headgate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.FailurePolicy;
import io.headgate.Headgate;
import io.headgate.Plan;
import io.headgate.RateLimiter;
import io.headgate.guard.Guard;
import io.headgate.guard.GuardSettings;
import io.headgate.rig.RedisCluster;
import io.headgate.rig.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Known bug O6: a Redis that fails and comes back while nobody asks: the guard knows, and the first request afterwards is decided by Redis. */
@Execution(ExecutionMode.CONCURRENT)
class IdleOutageIT {

    /** Far more than the two seconds it should take, which ProberTest proves with injected time: this machine may be busy. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @Test
    void isNoticedWhenRedisIsKilled() throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            idle(redis, "killed", redis::kill, redis::restart);
        }
    }

    @Test
    void isNoticedWhenRedisIsFrozen() throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            idle(redis, "frozen", redis::freeze, redis::thaw);
        }
    }

    /** It answers, but only to those who read. */
    @Test
    void isNoticedAndNotOverWhileRedisAcceptsNoWrites() throws Exception {
        try (RedisServer redis = RedisServer.start();
                RedisStore store = RedisStore.connect(redis.uri())) {
            Headgate headgate = headgate(store);
            Guard guard = headgate.guard().orElseThrow();
            redis.command("REPLICAOF", "127.0.0.1", "1");
            RateLimiter limiter = headgate.limiter("idle", Plan.parse("100/h"), FailurePolicy.OPEN);
            await("outage", () -> !guard.failingFor().isZero());

            long until = System.nanoTime() + Duration.ofSeconds(3).toNanos();
            while (System.nanoTime() < until) {
                assertThat(guard.failingFor()).isPositive();
                TimeUnit.MILLISECONDS.sleep(10);
            }
            redis.command("REPLICAOF", "NO", "ONE");
            await("end of the outage", () -> guard.failingFor().isZero());
            assertThat(limiter.tryAcquire("alice").degraded()).isFalse();
        }
    }

    @Test
    void isNoticedOnOneNodeOfACluster() throws Exception {
        try (RedisCluster cluster = RedisCluster.start();
                RedisStore store = RedisStore.builder(
                                cluster.uris().stream().map(RedisURI::create).toList())
                        .build()) {
            for (RedisServer node : cluster.nodes()) { // nobody takes over while we look
                node.command("CONFIG", "SET", "cluster-node-timeout", "60000");
            }
            Guard guard = headgate(store).guard().orElseThrow();
            assertThat(store.parts()).hasSize(3);
            RedisServer node = cluster.masters().get(1);
            node.freeze();
            await(
                    "outage",
                    () -> guard.openCircuits() == 1 && !guard.failingFor().isZero());
            node.thaw();
            await(
                    "end of the outage",
                    () -> guard.openCircuits() == 0 && guard.failingFor().isZero());
        }
    }

    private static void idle(RedisServer redis, String how, Runnable strike, Runnable heal) throws Exception {
        try (RedisStore store = RedisStore.connect(redis.uri())) {
            Headgate headgate = headgate(store);
            Guard guard = headgate.guard().orElseThrow();
            RateLimiter limiter = headgate.limiter("idle", Plan.parse("100/h"));
            assertThat(limiter.tryAcquire("alice").degraded()).isFalse();

            strike.run();
            Duration noticed = await("outage", () -> !guard.failingFor().isZero());
            await("open breaker", () -> guard.openCircuits() == 1);
            heal.run();
            Duration over = await("end of the outage", () -> guard.failingFor().isZero());

            System.out.println(how + ": noticed after " + noticed + ", over after " + over);
            assertThat(guard.openCircuits()).isZero();
            assertThat(limiter.tryAcquire("alice").degraded()).isFalse();
        }
    }

    private static Headgate headgate(RedisStore store) {
        return Headgate.builder()
                .store(store)
                .guard(GuardSettings.DEFAULT.instances(1).deadline(Duration.ofSeconds(1)))
                .build();
    }

    private static Duration await(String what, BooleanSupplier condition) throws InterruptedException {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(Duration.ofNanos(System.nanoTime() - start)).as(what).isLessThan(PATIENCE);
            TimeUnit.MILLISECONDS.sleep(5);
        }
        return Duration.ofNanos(System.nanoTime() - start);
    }
}
