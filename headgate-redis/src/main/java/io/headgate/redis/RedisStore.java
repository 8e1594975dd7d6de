package io.headgate.redis;

import io.headgate.Algorithm;
import io.headgate.Algorithms;
import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.Key;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Store;
import io.headgate.StoreException;
import io.headgate.TimeSource;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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
 * key share calls; neither ever allows a request too many. Optionally, permits of busy keys are {@linkplain Builder#aheadFor taken
 * ahead}. The store opens its own connection, with the settings of the application's client: a script is sent at most once, and
 * none while Redis is unreachable.
 *
 * <p>The futures of {@link #applyAsync} complete on a thread that reads answers from Redis. Code that continues on that thread must not
 * block, and {@link #apply} throws there.
 */
public final class RedisStore implements Store, AutoCloseable {

    /** How long {@link #close} waits until Redis has back the permits that were taken ahead. */
    private static final long GIVING_BACK_MICROS = 500_000;

    private static final Key NOBODY = new Key("headgate", "nobody");
    private static final Plan ANY = Plan.parse("1/min");

    /** So generous that it never denies, and so short that its keys are soon gone. */
    private static final Plan PROBED = Plan.parse("1000000 per 100ms");

    private final RedisConnection link;

    /** The way that avoids no calls. */
    private final Lane direct;

    private final Algorithms algorithms;
    private final Lane lane;
    private final @Nullable Denials denials;
    private final @Nullable Ahead ahead;

    /** The names of keys on a cluster, which tell the node of a key; {@code null} without a cluster. */
    private final @Nullable Names spread;

    private RedisStore(Builder builder, RedisConnection link) {
        Names names = builder.names();
        Backend backend = new ScriptBackend(link, names, builder.algorithms, new Scripts(), builder.clocks);
        Lane direct =
                builder.coalescing ? new Coalescer(backend, builder.clocks::nanos, link.timeout()) : Lane.of(backend);
        this.link = link;
        this.direct = direct;
        this.algorithms = builder.algorithms;
        this.denials = builder.denialCap.isZero()
                ? null
                : new Denials(direct, builder.clocks::nanos, builder.denialCap, Denials.DEFAULT_ENTRIES);
        Lane remembering = denials == null ? direct : denials;
        this.ahead = builder.ahead.isZero()
                ? null
                : new Ahead(remembering, backend, builder.clocks::nanos, link::after, builder.ahead);
        this.lane = ahead == null ? remembering : ahead;
        this.spread = link.isCluster() ? names : null;
    }

    private RedisStore(RedisConnection link, Algorithms algorithms, Lane lane) {
        this.link = link;
        this.direct = lane;
        this.algorithms = algorithms;
        this.lane = lane;
        this.denials = null;
        this.ahead = null;
        this.spread = null;
    }

    /**
     * Makes a first call, which charges nothing. It takes much longer than later ones because classes and the script are loaded,
     * and would miss the deadline of the first request.
     *
     * @param onFailure is told if this user may not run scripts; other failures may pass by themselves
     */
    private RedisStore warmedUp(Consumer<StoreException> onFailure) {
        try {
            apply(NOBODY, ANY, Operation.PEEK);
        } catch (StoreException e) {
            if (e.reason() == StoreException.Reason.UNAUTHORIZED) {
                onFailure.accept(e);
            }
        }
        return this;
    }

    /** A store on one node that remembers no denials. For tests. */
    static RedisStore over(RedisConnection link, Algorithms algorithms, Lane lane) {
        return new RedisStore(link, algorithms, lane);
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
    public static Builder builder(RedisClient client) {
        RedisURI uri = Settings.of(client);
        return new Builder(
                timeout -> RedisConnection.to(uri, Settings.given(client), client.getOptions(), timeout),
                uri.getTimeout());
    }

    /** Builds a store with its own connections to the cluster of the client. */
    public static Builder builder(RedisClusterClient client) {
        List<RedisURI> uris = Settings.of(client);
        ClientOptions options = client.getOptions();
        ClusterClientOptions cluster = options instanceof ClusterClientOptions known
                ? known
                : ClusterClientOptions.builder(options).build();
        return new Builder(
                timeout -> RedisConnection.toCluster(uris, Settings.given(client), cluster, timeout),
                uris.get(0).getTimeout());
    }

    /** Builds a store connected to Redis, or to the master that Sentinels name. */
    public static Builder builder(RedisURI uri) {
        return new Builder(timeout -> RedisConnection.to(uri, null, ClientOptions.create(), timeout), uri.getTimeout());
    }

    /** Builds a store connected to the cluster that these nodes belong to. */
    public static Builder builder(List<RedisURI> nodes) {
        if (nodes.isEmpty()) {
            throw new IllegalArgumentException(
                    "to find a cluster takes the RedisURI of at least one of its nodes, not " + nodes);
        }
        return new Builder(
                timeout -> RedisConnection.toCluster(nodes, null, ClusterClientOptions.create(), timeout),
                nodes.get(0).getTimeout());
    }

    @Override
    public Decision apply(Key key, Plan plan, Operation operation) {
        Decision known = known(key, plan, operation);
        if (known != null) {
            return known;
        }
        if (link.holdsThisThread()) {
            throw new IllegalStateException("this thread reads the answers of Redis and must not wait for one: "
                    + Thread.currentThread().getName());
        }
        try {
            CompletableFuture<Decision> answer = lane.apply(key, plan, operation);
            return answer instanceof PendingOperation passenger ? passenger.await() : answer.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw e;
        }
    }

    @Override
    public CompletableFuture<Decision> applyAsync(Key key, Plan plan, Operation operation) {
        return lane.apply(key, plan, operation);
    }

    /** A remembered denial. None counts if permits are taken ahead: there may be some in stock in spite of the denial. */
    @Override
    public @Nullable Decision known(Key key, Plan plan, Operation operation) {
        return denials == null || ahead != null ? null : denials.recall(key, plan, operation);
    }

    @Override
    public boolean remembers() {
        return denials != null && ahead == null;
    }

    /** The cluster node that holds the key. */
    @Override
    public Object part(Key key) {
        return spread == null ? "" : link.node(spread.of(key));
    }

    /** The masters of a cluster; one part without a cluster, and as long as its nodes are not known. */
    @Override
    public Set<?> parts() {
        return link.isClosed() ? Set.of() : spread == null ? Set.of("") : link.nodes();
    }

    /** Peeks at a key on that node; if Redis has failed, takes a permit there, since it may answer and not accept writes. */
    @Override
    public CompletableFuture<?> probe(Object part) {
        return direct.apply(spread == null ? NOBODY : onNode(part, spread), PROBED, Operation.ONE);
    }

    /** A key on that node. If there is none among so many, the node has hardly any slots, and another one is probed instead. */
    private Key onNode(Object node, Names names) {
        for (int i = 0; i < 10_000; i++) {
            Key key = new Key(NOBODY.scope(), NOBODY.subject() + i);
            if (link.node(names.of(key)).equals(node)) {
                return key;
            }
        }
        return NOBODY;
    }

    @Override
    public void check(Plan plan) {
        algorithms.check(plan);
    }

    /**
     * What Redis does when its memory is full, such as {@code noeviction}; the nodes of a cluster may differ. The future completes as
     * soon as there is a connection, with a {@link StoreException} if this user may not read the setting.
     */
    public CompletableFuture<Set<String>> evictionPolicies() {
        return link.setting("maxmemory-policy").handle((settings, failure) -> {
            if (failure != null) {
                throw link.failure(failure);
            }
            return settings.stream()
                    .flatMap(setting -> setting.values().stream())
                    .collect(Collectors.toUnmodifiableSet());
        });
    }

    /** Gives back the permits that were taken ahead and are in stock, then closes the connections; operations under way fail. */
    @Override
    public void close() {
        if (ahead != null && !link.holdsThisThread()) {
            TimeSource.system().await(ahead.close(), GIVING_BACK_MICROS);
        }
        link.close();
    }

    @Override
    public String toString() {
        return "RedisStore[" + link.address() + "]";
    }

    /** The options of a store. */
    public static final class Builder {

        /** How long Redis may take to answer by default. */
        public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(1);

        private static final Duration SHORTEST_AHEAD = Duration.ofMillis(1);
        private static final Duration LONGEST_AHEAD = Duration.ofSeconds(1);

        private final LinkSource link;
        private Duration timeout;
        private Algorithms algorithms = Headgate.algorithms();
        private String prefix = Names.DEFAULT_PREFIX;
        private byte @Nullable [] secret;
        private boolean readable;
        private boolean coalescing = true;
        private Duration denialCap = Denials.DEFAULT_CAP;
        private Duration ahead = Duration.ZERO;
        private boolean inBackground;
        private Consumer<StoreException> onFailure = Builder::stop;
        private Clocks clocks = Clocks.SYSTEM;

        private interface LinkSource {
            RedisConnection create(Duration timeout);
        }

        private Builder(LinkSource link, Duration given) {
            this.link = link;
            this.timeout = given.compareTo(DEFAULT_TIMEOUT) < 0 && !given.isZero() ? given : DEFAULT_TIMEOUT;
        }

        /** Adds an algorithm, or replaces the one with the same id. It needs no script: the store compares and sets its state. */
        public Builder algorithm(Algorithm<?> algorithm) {
            algorithms = algorithms.with(algorithm);
            return this;
        }

        /** The prefix of all keys, {@code rl:} by default. It must not contain braces. */
        public Builder keyPrefix(String prefix) {
            this.prefix = Names.checkedPrefix(prefix);
            return this;
        }

        /** Names keys by an HMAC with this secret, so that nobody without it can find out whose they are. */
        public Builder keySecret(byte[] secret) {
            this.secret = Names.checkedSecret(secret).clone();
            return this;
        }

        /** Names keys by scope and subject in clear text, for debugging: what clients sent is then visible in Redis. */
        public Builder readableKeys() {
            this.readable = true;
            return this;
        }

        /** Whether concurrent operations on one key share calls; they do by default. */
        public Builder coalescing(boolean coalescing) {
            this.coalescing = coalescing;
            return this;
        }

        /** How long a denial is remembered at most: one second by default, not at all if zero. */
        public Builder denialsFor(Duration cap) {
            if (cap.isNegative()) {
                throw new IllegalArgumentException("denials cannot be remembered for " + cap);
            }
            this.denialCap = cap;
            return this;
        }

        /**
         * Takes permits of busy keys up to this long before they are asked for; off by default. What an algorithm guarantees for every
         * interval of length W then holds for every interval that is shorter by this much.
         */
        public Builder aheadFor(Duration most) {
            if (!most.isZero() && (most.compareTo(SHORTEST_AHEAD) < 0 || most.compareTo(LONGEST_AHEAD) > 0)) {
                throw new IllegalArgumentException(
                        "permits can be taken ahead for 1 ms to 1 s, or not at all (0), not for " + most);
            }
            this.ahead = most;
            return this;
        }

        /**
         * How long an operation may take from the moment it is requested, including the wait for earlier calls for the same key and
         * repetitions while a cluster moves the key. A connection on which Redis owes an answer is given up after one and a half times
         * as long at most. Opening a connection may take as long, and at least up to two seconds.
         */
        public Builder timeout(Duration timeout) {
            if (timeout.compareTo(Duration.ofMillis(1)) < 0) {
                throw new IllegalArgumentException("a timeout must be at least 1 ms, not " + timeout);
            }
            this.timeout = timeout;
            return this;
        }

        /** The clocks of this process. For tests. */
        Builder clocks(Clocks clocks) {
            this.clocks = clocks;
            return this;
        }

        /** Starts at once, and connects in the background as soon as Redis can be reached. Until then operations fail. */
        public Builder startDegraded() {
            this.inBackground = true;
            return this;
        }

        /**
         * Waits for the first attempt to connect, and starts even if it fails; further attempts follow in the background.
         *
         * @param onFailure receives the reason. It may throw if no later attempt could succeed; {@link #build} then throws the same
         */
        public Builder startDegraded(Consumer<StoreException> onFailure) {
            this.inBackground = false;
            this.onFailure = Objects.requireNonNull(onFailure, "onFailure");
            return this;
        }

        private static void stop(StoreException failure) {
            throw failure;
        }

        /**
         * Connects.
         *
         * @throws StoreException naming the address, if Redis cannot be reached there, or does not let this user run scripts
         */
        public RedisStore build() {
            names();
            RedisConnection created = link.create(timeout);
            if (inBackground) {
                return new RedisStore(this, created.openLater());
            }
            try {
                RedisStore store = new RedisStore(this, created.open(onFailure));
                return created.wasConnected() ? store.warmedUp(onFailure) : store;
            } catch (RuntimeException e) {
                created.close();
                throw e;
            }
        }

        private Names names() {
            if (readable && secret != null) {
                throw new IllegalArgumentException("keys are either readable or derived from a secret, not both");
            }
            return readable
                    ? Names.readable(prefix)
                    : secret != null ? Names.keyed(prefix, secret) : Names.hashed(prefix);
        }
    }
}
