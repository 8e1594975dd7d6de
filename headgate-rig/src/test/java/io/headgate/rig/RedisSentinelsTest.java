package io.headgate.rig;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RedisSentinelsTest {

    @Test
    void agreeOnANewMaster() {
        try (RedisSentinels sentinels = RedisSentinels.start()) {
            assertThat(sentinels.uri()).matches("redis-sentinel://(127\\.0\\.0\\.1:\\d+,?){3}#headgate");
            RedisServer first = sentinels.master();
            first.command("SET", "a", "1");
            first.command("WAIT", "2", "5000");

            assertThat(sentinels.killMaster()).isSameAs(first);
            sentinels.awaitHealthy();

            RedisServer second = sentinels.master();
            assertThat(second).isNotSameAs(first);
            assertThat(second.command("GET", "a")).isEqualTo("1");
        }
    }
}
