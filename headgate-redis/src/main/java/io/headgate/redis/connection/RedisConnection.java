package io.headgate.redis.connection;

import io.headgate.StoreException;
import io.headgate.StoreException.Reason;
import io.headgate.TimeSource;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
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
import io.lettuce.core.resource.NettyCustomizer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Schedulers;

/**
 * The store's own connection to Redis, independent of those of the application.
 *
 * <p>A command is sent at most once. While there is no connection, commands are rejected, and commands under way when a connection
 * breaks fail with it: {@link DisconnectedBehavior#REJECT_COMMANDS} does both. Otherwise Lettuce would send them again after it
 * has reconnected, and a script that was executed just before the break would charge twice. In a cluster, a command that a node
 * rejected because it does not hold the key is sent to the node that does.
 */
public final class RedisConnection implements AutoCloseable {

    /** How long {@link #close} waits until the connections are closed. */
    private static final long CLOSING_MICROS = 1_000_000;

    private final AbstractRedisClient client;
    private final ClientResources resources;
    private final ConnectionWatchdog watch;
    private final ReconnectFailures reconnectFailures;
    private final String address;
    private final Duration timeout;
    private final Supplier<CompletableFuture<Connection>> connect;

    /** Completed by the first connection. */
    private final CompletableFuture<RedisClusterAsyncCommands<byte[], byte[]>> commands = new CompletableFuture<>();

    private volatile @Nullable StoreException problem;
    private volatile boolean closed;

    /** A connection to the Redis at that address, or to the master that the Sentinels at that address name. */
    public static RedisConnection to(
            RedisURI uri, @Nullable ClientResources shared, ClientOptions options, Duration timeout) {
        return new RedisConnection(shared, timeout, ClientSettings.named(uri), List.of(uri), (resources, uris) -> {
            RedisClient client = RedisClient.create(resources);
            client.setOptions(
                    ClientSettings.own(options.mutate(), options, timeout).build());
            return new Connector(
                    client,
                    () -> client.connectAsync(ByteArrayCodec.INSTANCE, uris.get(0))
                            .toCompletableFuture()
                            .thenApply(connection -> new Connection(connection, connection.async())));
        });
    }

    /** A connection to the cluster that the nodes at these addresses belong to. */
    public static RedisConnection toCluster(
            List<RedisURI> uris, @Nullable ClientResources shared, ClusterClientOptions options, Duration timeout) {
        String address = uris.stream().map(ClientSettings::named).collect(Collectors.joining(", "));
        return new RedisConnection(shared, timeout, address, uris, (resources, copies) -> {
            RedisClusterClient client = RedisClusterClient.create(resources, copies);
            ClusterClientOptions.Builder own = options.mutate();
            ClientSettings.own(own, options, timeout);
            client.setOptions(own.topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                            .adaptiveRefreshTriggersTimeout(ClientSettings.LONGEST_PAUSE)
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

    private RedisConnection(
            @Nullable ClientResources shared, Duration timeout, String address, List<RedisURI> uris, Kind kind) {
        this.watch =
                new ConnectionWatchdog(shared != null ? shared.nettyCustomizer() : new NettyCustomizer() {}, timeout);
        EventBus events = shared != null ? shared.eventBus() : new DefaultEventBus(Schedulers.immediate());
        this.reconnectFailures = new ReconnectFailures(events, uris, address);
        this.resources = ClientSettings.sharing(shared)
                .eventBus(reconnectFailures)
                .reconnectDelay(ClientSettings.pauses())
                .nettyCustomizer(watch)
                .build();
        this.address = address;
        this.timeout = timeout;
        List<RedisURI> copies = uris.stream()
                .map(uri -> ClientSettings.copy(uri, ClientSettings.connecting(timeout)))
                .toList();
        Connector connector = kind.create(resources, copies);
        this.client = connector.client;
        this.connect = connector.connect;
    }

    /**
     * Connects and waits for the first attempt. If it fails, further attempts follow in the background.
     *
     * @param onFailure receives the reason; if it throws, no further attempts are made
     */
    public RedisConnection open(Consumer<StoreException> onFailure) {
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
     * Connects once more if all that is known of a failure is that the connection ended. Lettuce sometimes reports no more than that
     * when Redis has rejected the handshake, and the error should name the wrong password.
     */
    private CompletableFuture<Connection> again(Throwable failure) {
        return Failures.hasOnlyEnded(failure) ? connect.get() : CompletableFuture.failedFuture(failure);
    }

    /** Connects in the background as soon as Redis can be reached. */
    public RedisConnection openLater() {
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
                if (closed) { // close() came too early to know of this connection
                    connected.itself.closeAsync();
                }
            } else if (!closed) {
                attemptLater(Failures.of(failure, address));
            }
        });
    }

    private void attemptLater(StoreException failure) {
        problem = failure;
        resources
                .eventExecutorGroup()
                .schedule(this::attempt, ClientSettings.LONGEST_PAUSE.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Runs a task later, on a thread that does not read answers. */
    public void after(long nanos, Runnable then) {
        resources.eventExecutorGroup().schedule(then, nanos, TimeUnit.NANOSECONDS);
    }

    /** Whether there has ever been a connection. */
    public boolean wasConnected() {
        return commands.isDone();
    }

    /**
     * Runs a script. A failure completes the future with a {@link StoreException}.
     *
     * @param sinceNanos when the operation was requested, on the clock of {@link System#nanoTime}
     */
    public CompletableFuture<List<Object>> run(
            String text, String sha, byte[][] keys, byte[][] arguments, long sinceNanos) {
        ScriptCall call = new ScriptCall(this, text, sha, keys, arguments, sinceNanos);
        call.send();
        return call;
    }

    /**
     * The commands of the connection.
     *
     * @throws StoreException if there has never been one
     */
    public RedisClusterAsyncCommands<byte[], byte[]> commands() {
        RedisClusterAsyncCommands<byte[], byte[]> connected = commands.getNow(null);
        if (connected == null) {
            StoreException why = problem;
            throw why != null
                    ? new StoreException(why.reason(), String.valueOf(why.getMessage()), why)
                    : new StoreException(Reason.UNREACHABLE, "there is no connection to Redis at " + address + " yet");
        }
        return connected;
    }

    /** The value of a Redis setting, one for each master of a cluster. The future completes once there is a connection. */
    public CompletableFuture<List<Map<String, String>>> setting(String name) {
        return commands.thenCompose(connected ->
                connected instanceof RedisAdvancedClusterAsyncCommands<byte[], byte[]> cluster
                        ? cluster.upstream().commands().configGet(name)
                        : connected.configGet(name).thenApply(List::of));
    }

    /** The exception that explains why a command failed. */
    public StoreException failure(Throwable thrown) {
        return reconnectFailures.explain(Failures.of(thrown, address));
    }

    public boolean isCluster() {
        return client instanceof RedisClusterClient;
    }

    /** The cluster node that holds the key; the same for all keys without a cluster, or before its nodes are known. */
    public String node(byte[] key) {
        if (!wasConnected() || !(client instanceof RedisClusterClient cluster)) {
            return "";
        }
        RedisClusterNode node = cluster.getPartitions().getPartitionBySlot(SlotHash.getSlot(key));
        return node == null ? "" : node.getNodeId();
    }

    /** The cluster nodes that hold keys, as {@link #node} names them. */
    public Set<String> nodes() {
        if (!wasConnected() || !(client instanceof RedisClusterClient cluster)) {
            return Set.of("");
        }
        Set<String> nodes = cluster.getPartitions().stream()
                .filter(node -> !node.getSlots().isEmpty() && node.is(RedisClusterNode.NodeFlag.UPSTREAM))
                .map(RedisClusterNode::getNodeId)
                .collect(Collectors.toUnmodifiableSet());
        return nodes.isEmpty() ? Set.of("") : nodes;
    }

    public boolean isClosed() {
        return closed;
    }

    /** The address, without passwords. */
    public String address() {
        return address;
    }

    /** How long Redis may take to answer. */
    public Duration timeout() {
        return timeout;
    }

    /** Whether the current thread reads answers. */
    public boolean holdsThisThread() {
        return watch.holdsThisThread();
    }

    /** Closes the connections. The wait is bounded: if the application has already stopped their threads, they never report back. */
    @Override
    public void close() {
        closed = true;
        TimeSource.system().await(client.shutdownAsync(0, 1, TimeUnit.SECONDS), CLOSING_MICROS);
        resources.shutdown(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS); // not what is shared
    }
}
