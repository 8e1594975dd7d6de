package io.headgate.spring.autoconfigure;

import io.headgate.redis.RedisStore;
import java.util.Set;
import java.util.TreeSet;
import org.apache.commons.logging.Log;

/** Looks at the settings of Redis that would make it forget what was spent. */
final class Eviction {

    private Eviction() {}

    /**
     * Every key of ours has a time to live, so whatever Redis evicts when it is full, it may be a counter. A Redis that is away now is
     * looked at when it is there.
     */
    static void warn(RedisStore store, Log log) {
        store.evictionPolicies().whenComplete((policies, failure) -> {
            if (failure != null) {
                log.debug("the maxmemory-policy of Redis is not to be had", failure);
                return;
            }
            Set<String> evicting = new TreeSet<>(policies);
            evicting.remove("noeviction");
            if (!evicting.isEmpty()) {
                log.warn("Redis forgets keys when it is full (maxmemory-policy " + String.join(", ", evicting)
                        + "), and with them what was spent; noeviction does not");
            }
        });
    }
}
