package io.headgate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Key;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.StoreException;
import io.headgate.rig.RedisSentinels;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A master under three Sentinels is killed under load. Known bug R5. */
class SentinelIT {

    private static final Key KEY = new Key("login", "alice");
    private static final int PERMITS = 1_000_000;
    private static final Plan PLAN = Plan.parse(PERMITS + " per 366d");

    @Test
    void followsTheNewMasterAndGrantsAgainOnlyWhatReplicationLost() throws Exception {
        try (RedisSentinels sentinels = RedisSentinels.start();
                RedisStore store = RedisStore.builder(RedisURI.create(sentinels.uri()))
                        .timeout(Duration.ofSeconds(5))
                        .build();
                Load load = Load.until(
                        8, () -> false, number -> store.bind(KEY.scope(), PLAN).apply(KEY.subject(), Operation.ONE))) {
            while (load.granted() < 2_000) {
                assertThat(load.failed()).as(load.toString()).isZero();
            }
            long before = load.granted();
            sentinels.killMaster();
            while (load.failed() < 8) {
                Thread.onSpinWait();
            }
            load.stop();
            sentinels.awaitHealthy();
            long spent = PERMITS - awaitAnswer(store);
            System.out.println("a master was killed after " + load.granted() + " grants; replication lost "
                    + Math.max(0, load.granted() - spent));
            assertThat(spent).isBetween(before / 2, load.granted() + load.failed());
            assertThat(store.bind(KEY.scope(), PLAN)
                            .apply(KEY.subject(), Operation.ONE)
                            .remaining())
                    .isEqualTo(PERMITS - spent - 1);
        }
    }

    private static long awaitAnswer(RedisStore store) {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (true) {
            try {
                return store.bind(KEY.scope(), PLAN)
                        .apply(KEY.subject(), Operation.PEEK)
                        .remaining();
            } catch (StoreException e) {
                if (System.nanoTime() - deadline > 0) {
                    throw e;
                }
            }
        }
    }
}
