package io.headgate.redis;

import io.headgate.Algorithms;
import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Ledger;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Store;
import io.headgate.StoreException;
import io.headgate.TimeSource;
import io.headgate.redis.connection.ClientSettings;
import io.headgate.redis.connection.Probes;
import io.headgate.redis.connection.RedisConnection;
import io.headgate.redis.pipeline.Coalescer;
import io.headgate.redis.pipeline.Denials;
import io.headgate.redis.pipeline.PlanCalls;
import io.headgate.redis.pipeline.Prefetching;
import io.headgate.redis.script.BoundScript;
import io.headgate.redis.script.Names;
import io.headgate.redis.script.ScriptBinder;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the state of limits in Redis, so that many instances share them: one script call per decision, atomic for all limits of a
 * plan, on the clock of Redis.
 *
 * <pre>{@code
 * try (RedisStore store = RedisStore.connect("redis://localhost")) {
 *     Headgate headgate = Headgate.builder().store(store).build();
 *     RateLimiter limiter = headgate.limiter("login", Plan.parse("5/min", "20/h"));
 * }
 * }</pre>
 *
 * <p>Denials are remembered for a moment, so that a denied client that keeps asking costs no calls, and concurrent operations on one
 * key share calls; neither ever allows a request too many. Optionally, permits of busy keys are {@linkplain RedisStoreBuilder#aheadFor
 * prefetched}. The store opens its own connection, with the settings of the application's client: a script is sent at most once, and
 * none while Redis is unreachable.
 *
 * <p>The futures of {@link Ledger#applyAsync} complete on a thread that reads answers from Redis. Code that continues on that thread must not
 * block, and {@link Ledger#apply} throws there.
 */
public final class RedisStore implements Store, AutoCloseable {

    /** How long {@link #close} waits until Redis has back the prefetched permits. */
    private static final long GIVING_BACK_MICROS = 500_000;

    private static final Plan ANY = Plan.parse("1/min");

    private final RedisConnection connection;
    private final Algorithms algorithms;
    private final Names names;
    private final ScriptBinder scripts;
    private final @Nullable Coalescer coalescer;
    private final @Nullable Denials denials;
    private final @Nullable Prefetching prefetching;
    private final Probes probes;

    /** The layers that are {@code null} are left out of every ledger. */
    RedisStore(
            RedisConnection connection,
            Algorithms algorithms,
            Names names,
            ScriptBinder scripts,
            @Nullable Coalescer coalescer,
            @Nullable Denials denials,
            @Nullable Prefetching prefetching) {
        this.connection = connection;
        this.algorithms = algorithms;
        this.names = names;
        this.scripts = scripts;
        this.coalescer = coalescer;
        this.denials = denials;
        this.prefetching = prefetching;
        this.probes = new Probes(connection, names::of, asking(Probes.SCOPE, calls(Probes.PLAN)));
    }

    /**
     * Makes a first call, which charges nothing. It takes much longer than later ones because classes and the script are loaded,
     * and would miss the deadline of the first request.
     *
     * @param onFailure is told if this user may not run scripts; other failures may pass by themselves
     */
    RedisStore warmedUp(Consumer<StoreException> onFailure) {
        try {
            bind(Probes.SCOPE, ANY).apply(Probes.NOBODY, Operation.PEEK);
        } catch (StoreException e) {
            if (e.reason() == StoreException.Reason.UNAUTHORIZED) {
                onFailure.accept(e);
            }
        }
        return this;
    }

    /**
     * Creates a store with the defaults, connected to {@code redis://[user:password@]host[:port][/database]}, {@code rediss://} for TLS, or
     * {@code redis-sentinel://host,host/database#master}.
     *
     * @throws StoreException if Redis cannot be reached there, or does not let this user run scripts
     */
    public static RedisStore connect(String uri) {
        return builder(RedisURI.create(uri)).build();
    }

    /** Builds a store with its own connection to the address of the client: a Redis, or the master that Sentinels name. */
    public static RedisStoreBuilder builder(RedisClient client) {
        RedisURI uri = ClientSettings.of(client);
        return new RedisStoreBuilder(
                timeout -> RedisConnection.to(uri, ClientSettings.given(client), client.getOptions(), timeout),
                uri.getTimeout());
    }

    /** Builds a store with its own connections to the cluster of the client. */
    public static RedisStoreBuilder builder(RedisClusterClient client) {
        List<RedisURI> uris = ClientSettings.of(client);
        ClientOptions options = client.getOptions();
        ClusterClientOptions cluster = options instanceof ClusterClientOptions known
                ? known
                : ClusterClientOptions.builder(options).build();
        return new RedisStoreBuilder(
                timeout -> RedisConnection.toCluster(uris, ClientSettings.given(client), cluster, timeout),
                uris.get(0).getTimeout());
    }

    /** Builds a store connected to Redis, or to the master that Sentinels name. */
    public static RedisStoreBuilder builder(RedisURI uri) {
        return new RedisStoreBuilder(
                timeout -> RedisConnection.to(uri, null, ClientOptions.create(), timeout), uri.getTimeout());
    }

    /** Builds a store connected to the cluster that these nodes belong to. */
    public static RedisStoreBuilder builder(List<RedisURI> nodes) {
        if (nodes.isEmpty()) {
            throw new IllegalArgumentException(
                    "to find a cluster takes the RedisURI of at least one of its nodes, not " + nodes);
        }
        return new RedisStoreBuilder(
                timeout -> RedisConnection.toCluster(nodes, null, ClusterClientOptions.create(), timeout),
                nodes.get(0).getTimeout());
    }

    /** Puts the layers of a ledger together. A request passes them from the last to the first. */
    @Override
    public Ledger bind(String scope, Plan plan) {
        PlanCalls calls = calls(plan);
        Ledger ledger = asking(scope, calls);
        if (denials != null) {
            ledger = denials.over(scope, plan, ledger);
        }
        if (prefetching != null) {
            ledger = prefetching.over(scope, calls, ledger);
        }
        return new RedisLedger(scope, ledger);
    }

    /** A ledger that always asks Redis, in calls that concurrent operations share unless the user declines. */
    private Ledger asking(String scope, PlanCalls calls) {
        return coalescer != null ? coalescer.over(scope, calls) : calls.separately(scope, System::nanoTime);
    }

    private PlanCalls calls(Plan plan) {
        BoundScript script = scripts.bind(plan);
        return new PlanCalls(plan, script.isOneCall(), script::run);
    }

    @Override
    public Algorithms algorithms() {
        return algorithms;
    }

    @Override
    public boolean blocks() {
        return false;
    }

    /** The layers of the pipeline, for callers that may be on any thread and want to know the cluster node of a subject. */
    private final class RedisLedger implements Ledger {

        private final String scope;
        private final Ledger ledger;

        RedisLedger(String scope, Ledger ledger) {
            this.scope = scope;
            this.ledger = ledger;
        }

        @Override
        public Decision apply(String subject, Operation operation) {
            if (connection.holdsThisThread()) {
                throw new IllegalStateException("this thread reads the answers of Redis and must not wait for one: "
                        + Thread.currentThread().getName() + "; use applyAsync, or continue on another thread");
            }
            BoundScript.check(operation);
            return ledger.apply(subject, operation);
        }

        @Override
        public CompletableFuture<Decision> applyAsync(String subject, Operation operation) {
            BoundScript.check(operation);
            return ledger.applyAsync(subject, operation);
        }

        @Override
        public @Nullable Decision known(String subject, Operation operation) {
            return ledger.known(subject, operation);
        }

        @Override
        public boolean remembers() {
            return ledger.remembers();
        }

        @Override
        public Object part(String subject) {
            return connection.isCluster() ? connection.node(names.of(new Key(scope, subject))) : "";
        }
    }

    /** The masters of a cluster; one part without a cluster, and as long as its nodes are not known. */
    @Override
    public Set<?> parts() {
        return connection.isClosed() ? Set.of() : connection.nodes();
    }

    /** Takes a permit of a key there that nobody uses: a Redis that answers may still not accept writes. */
    @Override
    public CompletableFuture<?> probe(Object part) {
        return probes.probe(part);
    }

    /**
     * What Redis does when its memory is full, such as {@code noeviction}; the nodes of a cluster may differ. The future completes as
     * soon as there is a connection, with a {@link StoreException} if this user may not read the setting.
     */
    public CompletableFuture<Set<String>> evictionPolicies() {
        return connection.setting("maxmemory-policy").handle((settings, failure) -> {
            if (failure != null) {
                throw connection.failure(failure);
            }
            return settings.stream()
                    .flatMap(setting -> setting.values().stream())
                    .collect(Collectors.toUnmodifiableSet());
        });
    }

    /** Gives back the permits that were prefetched and not used, then closes the connections; operations under way fail. */
    @Override
    public void close() {
        if (prefetching != null && !connection.holdsThisThread()) {
            TimeSource.system().await(prefetching.close(), GIVING_BACK_MICROS);
        }
        connection.close();
    }

    @Override
    public String toString() {
        return "RedisStore[" + connection.address() + "]";
    }
}
