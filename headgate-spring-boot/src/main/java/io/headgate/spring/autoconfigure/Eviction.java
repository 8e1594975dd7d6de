package io.headgate.spring.autoconfigure;

import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.apache.commons.logging.Log;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** Looks at the settings of Redis that would make it forget what was spent. */
final class Eviction {

    private Eviction() {}

    /** Every key of ours has a time to live, so whatever Redis evicts when it is full, it may be a counter. */
    static void warn(RedisConnectionFactory connections, Log log) {
        try (RedisConnection connection = connections.getConnection()) {
            Properties found = connection.serverCommands().getConfig("maxmemory-policy");
            Set<String> evicting = policies(found == null ? new Properties() : found);
            if (!evicting.isEmpty()) {
                log.warn("Redis forgets keys when it is full (maxmemory-policy " + String.join(", ", evicting)
                        + "), and with them what was spent; noeviction does not");
            }
        } catch (DataAccessException | UnsupportedOperationException e) {
            log.debug("the maxmemory-policy of Redis is not to be had", e);
        }
    }

    /** Those that evict something. Of a cluster each node tells its own, under its address. */
    private static Set<String> policies(Properties found) {
        Set<String> policies = new TreeSet<>();
        found.forEach((name, policy) -> policies.add(policy.toString()));
        policies.remove("noeviction");
        return policies;
    }
}
