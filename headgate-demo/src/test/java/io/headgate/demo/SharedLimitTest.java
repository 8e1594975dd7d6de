package io.headgate.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.rig.RedisServer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Instances on one Redis keep one limit, and remember it when they are restarted. */
class SharedLimitTest {

    @Test
    void countsWhatAllInstancesServe() throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            String url = "--spring.data.redis.url=" + redis.uri();
            try (Instance one = Instance.start("--headgate.store=redis", url);
                    Instance other = Instance.start("--headgate.store=redis", url)) {
                List<Integer> statuses = new ArrayList<>();
                for (int i = 0; i < 12; i++) {
                    statuses.add((i % 2 == 0 ? one : other).get("/api/public").statusCode());
                }
                assertThat(Collections.frequency(statuses, 200)).isEqualTo(10);
                assertThat(statuses.subList(10, 12)).containsExactly(429, 429);
            }
            try (Instance restarted = Instance.start("--headgate.store=redis", url)) {
                assertThat(restarted.get("/api/public").statusCode()).isEqualTo(429);
            }
        }
    }
}
