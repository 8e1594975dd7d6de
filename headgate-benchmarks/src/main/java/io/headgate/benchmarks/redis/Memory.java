package io.headgate.benchmarks.redis;

import io.headgate.Limit;
import io.headgate.redis.RedisStore;
import io.headgate.rig.RedisServer;
import io.lettuce.core.RedisClient;
import java.util.Map;
import java.util.TreeMap;

/** Measures how much more memory a key takes in Redis than the integer 1 with a TTL under the same name. */
final class Memory {

    private static final int CHECKS = 3;

    private Memory() {}

    static Map<String, Long> perKey(RedisServer server, RedisClient client) {
        Map<String, Long> bytes = new TreeMap<>();
        for (Peer peer : Peer.values()) {
            if (peer.plain != null) {
                Limit limit = peer.limit(Situation.DISTINCT.permits);
                bytes.put(limit.algorithm(), ofOne(server, client, limit));
            }
        }
        return bytes;
    }

    private static long ofOne(RedisServer server, RedisClient client, Limit limit) {
        server.command("FLUSHALL");
        try (Ours ours = new Ours(RedisStore.builder(client), limit)) {
            for (int i = 0; i < CHECKS; i++) {
                ours.check("203.0.113.7");
            }
        }
        String key = String.valueOf(server.command("RANDOMKEY"));
        long used = usage(server, key);
        server.command("SET", key, "1", "PX", "86400000");
        return used - usage(server, key);
    }

    private static long usage(RedisServer server, String key) {
        return Long.parseLong(String.valueOf(server.command("MEMORY", "USAGE", key)));
    }
}
