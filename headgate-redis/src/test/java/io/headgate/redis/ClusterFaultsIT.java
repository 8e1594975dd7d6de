package io.headgate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.FailurePolicy;
import io.headgate.Headgate;
import io.headgate.Key;
import io.headgate.Plan;
import io.headgate.RateLimiter;
import io.headgate.StoreException.Reason;
import io.headgate.guard.Guard;
import io.headgate.guard.GuardSettings;
import io.headgate.redis.script.Names;
import io.headgate.rig.RedisCluster;
import io.headgate.rig.RedisServer;
import io.lettuce.core.RedisURI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** One master of three hangs: the keys of the others are decided by the store as ever. */
@Isolated("times are compared")
class ClusterFaultsIT {

    private static final int ROUNDS = 50;
    private static final Plan PLAN = Plan.parse("10000 per 366d");

    /** Patient, so that a healthy node on a busy machine is in time; and a node that was left alone stays so. */
    private static final GuardSettings SETTINGS = GuardSettings.DEFAULT
            .instances(1)
            .deadline(Duration.ofSeconds(1))
            .failures(2)
            .openFor(Duration.ofMinutes(1));

    @Test
    void degradesOnlyTheKeysOfTheNodeThatHangs() throws Exception {
        try (RedisCluster cluster = RedisCluster.start();
                RedisStore store = RedisStore.builder(
                                cluster.uris().stream().map(RedisURI::create).toList())
                        .build()) {
            for (RedisServer node : cluster.nodes()) { // nobody takes over while we look
                node.command("CONFIG", "SET", "cluster-node-timeout", "60000");
            }
            Headgate headgate = Headgate.builder().store(store).guard(SETTINGS).build();
            Guard guard = headgate.guard().orElseThrow();
            RateLimiter limiter = headgate.limiter("cluster", PLAN, FailurePolicy.CLOSED);
            Map<RedisServer, String> subjects = subjects(cluster);
            for (String each : subjects.values()) {
                awaitStore(limiter, each);
                limiter.tryAcquire(each); // so that its node knows the script
            }
            RedisServer hanging = cluster.masters().get(0);
            hanging.freeze();
            try {
                for (int i = 0; i < ROUNDS; i++) {
                    subjects.forEach((node, subject) -> assertThat(limiter.tryAcquire(subject))
                            .as("a key on " + node)
                            .matches(decision -> decision.degraded() == node.equals(hanging)));
                }
            } finally {
                hanging.thaw();
            }
            assertThat(guard.failures(Reason.BREAKER))
                    .as("at most two calls found out, if no probe did, and the other rounds did without the node")
                    .isGreaterThanOrEqualTo(ROUNDS - 2);
        }
    }

    /** A subject on each master. */
    private static Map<RedisServer, String> subjects(RedisCluster cluster) {
        Map<RedisServer, String> subjects = new HashMap<>();
        for (int i = 0; subjects.size() < cluster.masters().size(); i++) {
            byte[] name = Names.hashed(Names.DEFAULT_PREFIX).of(new Key("cluster", "s" + i));
            subjects.putIfAbsent(cluster.masterOf(new String(name, StandardCharsets.UTF_8)), "s" + i);
        }
        return subjects;
    }

    private static void awaitStore(RateLimiter limiter, String subject) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        for (Decision decision = limiter.peek(subject); decision.degraded(); decision = limiter.peek(subject)) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }
}
