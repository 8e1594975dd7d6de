package io.headgate.spring.boot.autoconfigure;

import io.headgate.redis.RedisStore;
import java.util.Set;
import java.util.TreeSet;
import org.apache.commons.logging.Log;

/** Checks whether Redis may evict keys, and with them what subjects have spent. */
final class Eviction {

    private Eviction() {}

    /**
     * Logs a warning unless the policy is {@code noeviction}. Every key of Headgate has a TTL, so under any other policy the evicted
     * key may be a counter. If Redis is unreachable now, the policy is read once there is a connection.
     */
    static void warn(RedisStore store, Log log) {
        store.evictionPolicies().whenComplete((policies, failure) -> {
            if (failure != null) {
                log.debug("could not read the maxmemory-policy of Redis", failure);
                return;
            }
            Set<String> evicting = new TreeSet<>(policies);
            evicting.remove("noeviction");
            if (!evicting.isEmpty()) {
                log.warn("Redis evicts keys when it is full (maxmemory-policy " + String.join(", ", evicting)
                        + "), so subjects may get a full budget again too early; set maxmemory-policy to noeviction");
            }
        });
    }
}
