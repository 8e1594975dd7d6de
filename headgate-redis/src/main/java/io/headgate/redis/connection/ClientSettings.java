package io.headgate.redis.connection;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the store's own client: those of the application's client, but for what the store needs otherwise.
 *
 * <p>Lettuce does not expose where a client connects to and with whose threads, and a connection made by that client would have the
 * client's options: so its private fields are read.
 */
public final class ClientSettings {

    /** The longest pause between two attempts to reconnect. */
    static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

    /** How long opening a connection may take, unless answers may take longer. */
    private static final Duration CONNECT = Duration.ofSeconds(2);

    private ClientSettings() {}

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

    /** Uses the threads and timers of the application, if it shares any; closing the connection leaves those running. */
    static ClientResources.Builder sharing(@Nullable ClientResources shared) {
        ClientResources.Builder builder = ClientResources.builder();
        return shared == null
                ? builder
                : builder.eventLoopGroupProvider(shared.eventLoopGroupProvider())
                        .eventExecutorGroup(shared.eventExecutorGroup())
                        .timer(shared.timer())
                        .commandLatencyRecorder(shared.commandLatencyRecorder())
                        .socketAddressResolver(shared.socketAddressResolver())
                        .addressResolverGroup(shared.addressResolverGroup())
                        .tracing(shared.tracing());
    }

    static Delay pauses() {
        return Delay.fullJitter(Duration.ofMillis(1), LONGEST_PAUSE, 1, TimeUnit.MILLISECONDS);
    }

    static ClientOptions.Builder own(ClientOptions.Builder builder, ClientOptions given, Duration timeout) {
        SocketOptions socket = given.getSocketOptions();
        Duration most = connecting(timeout);
        Duration connect = most.compareTo(socket.getConnectTimeout()) < 0 ? most : socket.getConnectTimeout();
        return builder.autoReconnect(true)
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
                .socketOptions(socket.mutate().connectTimeout(connect).build());
    }

    static Duration connecting(Duration timeout) {
        return timeout.compareTo(CONNECT) > 0 ? timeout : CONNECT;
    }

    /** Copies a URI. Lettuce's own copy leaves out the Sentinels. */
    static RedisURI copy(RedisURI uri, Duration timeout) {
        RedisURI.Builder builder = RedisURI.builder(uri).withTimeout(timeout);
        if (!uri.getSentinels().isEmpty()) {
            builder.withSentinelMasterId(uri.getSentinelMasterId());
            uri.getSentinels().forEach(builder::withSentinel);
        }
        return builder.build();
    }

    /** The address, without passwords. */
    static String named(RedisURI uri) {
        if (!uri.getSentinels().isEmpty()) {
            return uri.getSentinels().stream().map(ClientSettings::named).collect(Collectors.joining(", ")) + " ("
                    + uri.getSentinelMasterId() + ")";
        }
        return uri.getSocket() != null ? uri.getSocket() : uri.getHost() + ":" + uri.getPort();
    }
}
