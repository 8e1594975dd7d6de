package io.headgate.redis.connection;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.resource.ClientResources;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads from a client of the application where it connects to, and with whose threads. Lettuce does not expose these, and a
 * connection made by that client would have the client's options: so the private fields are read.
 */
public final class Settings {

    private Settings() {}

    public static RedisURI of(RedisClient client) {
        Object uri = read(RedisClient.class, "redisURI", RedisURI.class, client);
        if (!(uri instanceof RedisURI known)
                || (known.getHost() == null
                        && known.getSocket() == null
                        && known.getSentinels().isEmpty())) {
            throw new IllegalArgumentException(
                    "the client was created without a RedisURI; give RedisStore.builder the URI instead");
        }
        return known;
    }

    public static List<RedisURI> of(RedisClusterClient client) {
        List<RedisURI> uris = new ArrayList<>();
        if (read(RedisClusterClient.class, "initialUris", Iterable.class, client) instanceof Iterable<?> initial) {
            initial.forEach(uri -> uris.add((RedisURI) uri));
        }
        if (uris.isEmpty()) {
            throw new IllegalArgumentException(
                    "the client was created without a RedisURI; give RedisStore.builder the URIs instead");
        }
        return uris;
    }

    /** The threads and timers that were given to the client; {@code null} if it created its own, which end with it. */
    public static @Nullable ClientResources given(AbstractRedisClient client) {
        try {
            Object given = read(AbstractRedisClient.class, "sharedResources", boolean.class, client);
            return Boolean.TRUE.equals(given) ? client.getResources() : null;
        } catch (IllegalArgumentException e) {
            return null; // this version of Lettuce does not tell: the store creates its own threads
        }
    }

    private static @Nullable Object read(Class<?> owner, String field, Class<?> type, Object client) {
        try {
            VarHandle handle =
                    MethodHandles.privateLookupIn(owner, MethodHandles.lookup()).findVarHandle(owner, field, type);
            return handle.get(client);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(
                    "this version of Lettuce does not tell where its client leads; give RedisStore.builder the URI instead",
                    e);
        }
    }
}
