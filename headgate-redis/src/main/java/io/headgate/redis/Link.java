package io.headgate.redis;

import io.headgate.StoreException;
import io.headgate.StoreException.Reason;
import io.headgate.TimeSource;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.async.RedisAdvancedClusterAsyncCommands;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.event.DefaultEventBus;
import io.lettuce.core.event.EventBus;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.NettyCustomizer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Schedulers;

/**
 * The store's own connection to Redis, whatever the application does with its own.
 *
 * <p>A command is sent at most once. While there is no connection commands are refused, and those under way when a connection
 * breaks fail with it: {@link DisconnectedBehavior#REJECT_COMMANDS} does both. Otherwise Lettuce would send them again after it
 * has reconnected, and a script that was executed just before the break would charge twice. In a cluster, what a node refused
 * because it does not have the key is sent to the node that has.
 */
final class Link implements AutoCloseable {

    /** How long it takes at most from one attempt to reconnect to the next. */
    static final Duration RECONNECT = Duration.ofMillis(500);

    /** How long a new connection may take, unless answers may take longer. */
    private static final Duration CONNECT = Duration.ofSeconds(2);

    /** How long closing waits until the connections are closed. */
    private static final long CLOSING_MICROS = 1_000_000;

    private final AbstractRedisClient client;
    private final ClientResources resources;
    private final Watch watch;
    private final Reconnecting reconnecting;
    private final String address;
    private final Duration timeout;
    private final Supplier<CompletableFuture<Connection>> connect;

    /** Done from the first connection on. */
    private final CompletableFuture<RedisClusterAsyncCommands<byte[], byte[]>> commands = new CompletableFuture<>();

    private volatile @Nullable StoreException problem;
    private volatile boolean closed;

    /** A link to the Redis, or through Sentinels to the master, of that address. */
    static Link to(RedisURI uri, @Nullable ClientResources shared, ClientOptions options, Duration timeout) {
        return new Link(shared, timeout, named(uri), List.of(uri), (resources, uris) -> {
            RedisClient client = RedisClient.create(resources);
            client.setOptions(own(options.mutate(), options, timeout).build());
            return new Connector(
                    client,
                    () -> client.connectAsync(ByteArrayCodec.INSTANCE, uris.get(0))
                            .toCompletableFuture()
                            .thenApply(connection -> new Connection(connection, connection.async())));
        });
    }

    /** A link to the cluster that the nodes of these addresses belong to. */
    static Link toCluster(
            List<RedisURI> uris, @Nullable ClientResources shared, ClusterClientOptions options, Duration timeout) {
        String address = uris.stream().map(Link::named).collect(Collectors.joining(", "));
        return new Link(shared, timeout, address, uris, (resources, copies) -> {
            RedisClusterClient client = RedisClusterClient.create(resources, copies);
            ClusterClientOptions.Builder own = options.mutate();
            own(own, options, timeout);
            client.setOptions(own.topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                            .adaptiveRefreshTriggersTimeout(RECONNECT)
                            .enablePeriodicRefresh(Duration.ofSeconds(30))
                            .build())
                    .build());
            return new Connector(
                    client,
                    () -> client.refreshPartitionsAsync()
                            .toCompletableFuture()
                            .thenCompose(known -> client.connectAsync(ByteArrayCodec.INSTANCE))
                            .thenApply(connection -> new Connection(connection, connection.async())));
        });
    }

    private record Connector(AbstractRedisClient client, Supplier<CompletableFuture<Connection>> connect) {}

    private record Connection(
            StatefulConnection<byte[], byte[]> itself, RedisClusterAsyncCommands<byte[], byte[]> commands) {}

    private interface Kind {
        Connector create(ClientResources resources, List<RedisURI> uris);
    }

    private Link(@Nullable ClientResources shared, Duration timeout, String address, List<RedisURI> uris, Kind kind) {
        this.watch = new Watch(shared != null ? shared.nettyCustomizer() : new NettyCustomizer() {}, timeout);
        EventBus events = shared != null ? shared.eventBus() : new DefaultEventBus(Schedulers.immediate());
        this.reconnecting = new Reconnecting(events, uris, address);
        this.resources = sharing(shared)
                .eventBus(reconnecting)
                .reconnectDelay(pauses())
                .nettyCustomizer(watch)
                .build();
        this.address = address;
        this.timeout = timeout;
        List<RedisURI> copies =
                uris.stream().map(uri -> copy(uri, connecting(timeout))).toList();
        Connector connector = kind.create(resources, copies);
        this.client = connector.client;
        this.connect = connector.connect;
    }

    /** Threads and timers are the application's if there are any; closing ours then leaves them alone. */
    private static ClientResources.Builder sharing(@Nullable ClientResources shared) {
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
        return Delay.fullJitter(Duration.ofMillis(1), RECONNECT, 1, TimeUnit.MILLISECONDS);
    }

    private static ClientOptions.Builder own(ClientOptions.Builder builder, ClientOptions given, Duration timeout) {
        SocketOptions socket = given.getSocketOptions();
        Duration most = connecting(timeout);
        Duration connect = most.compareTo(socket.getConnectTimeout()) < 0 ? most : socket.getConnectTimeout();
        return builder.autoReconnect(true)
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
                .socketOptions(socket.mutate().connectTimeout(connect).build());
    }

    private static Duration connecting(Duration timeout) {
        return timeout.compareTo(CONNECT) > 0 ? timeout : CONNECT;
    }

    /** Lettuce copies everything but the Sentinels. */
    static RedisURI copy(RedisURI uri, Duration timeout) {
        RedisURI.Builder builder = RedisURI.builder(uri).withTimeout(timeout);
        if (!uri.getSentinels().isEmpty()) {
            builder.withSentinelMasterId(uri.getSentinelMasterId());
            uri.getSentinels().forEach(builder::withSentinel);
        }
        return builder.build();
    }

    /**
     * Connects and waits for the first attempt. If it fails, further attempts follow in the background.
     *
     * @param onFailure receives the reason; if it throws, no further attempts are made
     */
    Link open(Consumer<StoreException> onFailure) {
        try {
            commands.complete(connect.get().exceptionallyCompose(this::again).join().commands);
        } catch (RuntimeException e) {
            StoreException failure = Failures.of(e, address);
            onFailure.accept(failure);
            attemptLater(failure);
        }
        return this;
    }

    /**
     * Connects once more if the connection has only ended. Of a handshake that Redis refused, Lettuce says now and then no more than
     * that, and whoever has a wrong password should hear of the password.
     */
    private CompletableFuture<Connection> again(Throwable failure) {
        return Failures.hasOnlyEnded(failure) ? connect.get() : CompletableFuture.failedFuture(failure);
    }

    /** Connects when that is possible, however long it takes. */
    Link openLater() {
        attempt();
        return this;
    }

    private void attempt() {
        if (closed) {
            return;
        }
        CompletableFuture<Connection> attempt;
        try {
            attempt = connect.get();
        } catch (RuntimeException e) {
            attempt = CompletableFuture.failedFuture(e);
        }
        attempt.whenComplete((connected, failure) -> {
            if (failure == null) {
                commands.complete(connected.commands);
                if (closed) { // too early to know of this one
                    connected.itself.closeAsync();
                }
            } else if (!closed) {
                attemptLater(Failures.of(failure, address));
            }
        });
    }

    private void attemptLater(StoreException failure) {
        problem = failure;
        resources.eventExecutorGroup().schedule(this::attempt, RECONNECT.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Does something later, on a thread that reads no answers. */
    void after(long nanos, Runnable then) {
        resources.eventExecutorGroup().schedule(then, nanos, TimeUnit.NANOSECONDS);
    }

    /** Whether there was a connection at any time. */
    boolean wasConnected() {
        return commands.isDone();
    }

    /** @throws StoreException if there never was a connection */
    RedisClusterAsyncCommands<byte[], byte[]> commands() {
        RedisClusterAsyncCommands<byte[], byte[]> connected = commands.getNow(null);
        if (connected == null) {
            StoreException why = problem;
            throw why != null
                    ? new StoreException(why.reason(), String.valueOf(why.getMessage()), why)
                    : new StoreException(Reason.UNREACHABLE, "there is no connection to Redis at " + address + " yet");
        }
        return connected;
    }

    /** A setting of Redis, as every master of a cluster has it, as soon as there is a connection. */
    CompletableFuture<List<Map<String, String>>> setting(String name) {
        return commands.thenCompose(connected ->
                connected instanceof RedisAdvancedClusterAsyncCommands<byte[], byte[]> cluster
                        ? cluster.upstream().commands().configGet(name)
                        : connected.configGet(name).thenApply(List::of));
    }

    /** What it means that a command failed so. */
    StoreException failure(Throwable thrown) {
        return reconnecting.explain(Failures.of(thrown, address));
    }

    boolean isCluster() {
        return client instanceof RedisClusterClient;
    }

    /** The node of a cluster that has the key; the same for every key where there is no cluster, or none is known yet. */
    String node(byte[] key) {
        if (!wasConnected() || !(client instanceof RedisClusterClient cluster)) {
            return "";
        }
        RedisClusterNode node = cluster.getPartitions().getPartitionBySlot(SlotHash.getSlot(key));
        return node == null ? "" : node.getNodeId();
    }

    /** Where it leads, without passwords. */
    String address() {
        return address;
    }

    /** How long Redis may owe an answer. */
    Duration timeout() {
        return timeout;
    }

    /** Whether this thread is one that reads answers. */
    boolean holdsThisThread() {
        return watch.holdsThisThread();
    }

    /** Waits, but not forever: connections whose threads the application has ended before never say that they are closed. */
    @Override
    public void close() {
        closed = true;
        TimeSource.system().await(client.shutdownAsync(0, 1, TimeUnit.SECONDS), CLOSING_MICROS);
        resources.shutdown(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS); // but for what is shared
    }

    private static String named(RedisURI uri) {
        if (!uri.getSentinels().isEmpty()) {
            return uri.getSentinels().stream().map(Link::named).collect(Collectors.joining(", ")) + " ("
                    + uri.getSentinelMasterId() + ")";
        }
        return uri.getSocket() != null ? uri.getSocket() : uri.getHost() + ":" + uri.getPort();
    }
}
