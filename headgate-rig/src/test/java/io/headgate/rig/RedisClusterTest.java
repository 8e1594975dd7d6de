package io.headgate.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class RedisClusterTest {

    @Test
    void formsMovesSlotsAndSurvivesTheDeathOfAMaster() {
        try (RedisCluster cluster = RedisCluster.start()) {
            assertThat(cluster.nodes()).hasSize(6);
            assertThat(cluster.masters()).hasSize(3);
            RedisServer from = cluster.masterOf("foo");
            RedisServer to = others(cluster, from).get(0);
            from.command("SET", "foo", "1");
            movesTheSlot(cluster, from, to);
            replicaTakesOver(cluster, to);
        }
    }

    private static void movesTheSlot(RedisCluster cluster, RedisServer from, RedisServer to) {
        try (RedisCluster.Migration migration = cluster.beginMigration(RedisCluster.slotOf("foo"), to)) {
            assertThat(from.command("GET", "foo")).isEqualTo("1");
            assertThatThrownBy(() -> from.command("GET", "{foo}2")).hasMessageStartingWith("ASK 12182");
            migration.moveKeys();
            assertThatThrownBy(() -> from.command("GET", "foo")).hasMessageStartingWith("ASK 12182");
        }
        assertThatThrownBy(() -> from.command("GET", "foo")).hasMessageStartingWith("MOVED 12182");
        assertThat(to.command("GET", "foo")).isEqualTo("1");
        assertThat(cluster.masterOf("foo")).isSameAs(to);
    }

    private static void replicaTakesOver(RedisCluster cluster, RedisServer master) {
        master.command("WAIT", "1", "5000");
        assertThat(cluster.killMasterOf("foo")).isSameAs(master);
        cluster.awaitHealthy();
        RedisServer successor = cluster.masterOf("foo");
        assertThat(successor).isNotSameAs(master);
        assertThat(successor.command("GET", "foo")).isEqualTo("1");

        master.restart();
        cluster.awaitHealthy();
        assertThat(cluster.masters()).hasSize(3).doesNotContain(master);
    }

    private static List<RedisServer> others(RedisCluster cluster, RedisServer one) {
        return cluster.masters().stream().filter(each -> each != one).toList();
    }

    /** The values of the Redis Cluster specification and of {@code CLUSTER KEYSLOT}. */
    @Test
    void knowsTheSlotOfAKey() {
        assertThat(RedisCluster.slotOf("123456789")).isEqualTo(0x31c3);
        assertThat(RedisCluster.slotOf("foo")).isEqualTo(12_182);
        assertThat(RedisCluster.slotOf("{foo}:bar")).isEqualTo(12_182);
        assertThat(RedisCluster.slotOf("x{foo}y{bar}")).isEqualTo(12_182);
        assertThat(RedisCluster.slotOf("foo{}bar")).isNotEqualTo(RedisCluster.slotOf(""));
    }
}
