package io.headgate.redis;

import io.headgate.Algorithm;
import io.headgate.Algorithms;
import io.headgate.Headgate;
import io.headgate.StoreException;
import io.headgate.redis.connection.RedisConnection;
import io.headgate.redis.pipeline.Coalescer;
import io.headgate.redis.pipeline.Denials;
import io.headgate.redis.pipeline.Prefetching;
import io.headgate.redis.script.Names;
import io.headgate.redis.script.ScriptBinder;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The options of a {@link RedisStore}. */
public final class RedisStoreBuilder {

    /** How long Redis may take to answer by default. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(1);

    private static final Duration SHORTEST_PREFETCHING = Duration.ofMillis(1);
    private static final Duration LONGEST_PREFETCHING = Duration.ofSeconds(1);

    private final ConnectionSource source;
    private Duration timeout;
    private Algorithms algorithms = Headgate.algorithms();
    private String prefix = Names.DEFAULT_PREFIX;
    private byte @Nullable [] secret;
    private boolean readable;
    private boolean coalescing = true;
    private Duration denialCap = Denials.DEFAULT_CAP;
    private Duration prefetching = Duration.ZERO;
    private boolean inBackground;
    private Consumer<StoreException> onFailure = RedisStoreBuilder::stop;
    private LongSupplier wallMicros = () -> System.currentTimeMillis() * 1_000;

    interface ConnectionSource {
        RedisConnection create(Duration timeout);
    }

    RedisStoreBuilder(ConnectionSource source, Duration given) {
        this.source = source;
        this.timeout = given.compareTo(DEFAULT_TIMEOUT) < 0 && !given.isZero() ? given : DEFAULT_TIMEOUT;
    }

    /** Adds an algorithm, or replaces the one with the same id. It needs no script: the store compares and sets its state. */
    public RedisStoreBuilder algorithm(Algorithm<?> algorithm) {
        algorithms = algorithms.with(algorithm);
        return this;
    }

    /** The prefix of all keys, {@code rl:} by default. It must not contain braces. */
    public RedisStoreBuilder keyPrefix(String prefix) {
        this.prefix = Names.checkedPrefix(prefix);
        return this;
    }

    /** Names keys by an HMAC with this secret, so that nobody without it can find out whose they are. */
    public RedisStoreBuilder keySecret(byte[] secret) {
        this.secret = Names.checkedSecret(secret).clone();
        return this;
    }

    /** Names keys by scope and subject in clear text, for debugging: what clients sent is then visible in Redis. */
    public RedisStoreBuilder readableKeys() {
        this.readable = true;
        return this;
    }

    /** Whether concurrent operations on one key share calls; they do by default. */
    public RedisStoreBuilder coalescing(boolean coalescing) {
        this.coalescing = coalescing;
        return this;
    }

    /** How long a denial is remembered at most: one second by default, not at all if zero. */
    public RedisStoreBuilder denialsFor(Duration cap) {
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
    public RedisStoreBuilder aheadFor(Duration most) {
        if (!most.isZero() && (most.compareTo(SHORTEST_PREFETCHING) < 0 || most.compareTo(LONGEST_PREFETCHING) > 0)) {
            throw new IllegalArgumentException(
                    "permits can be taken ahead for 1 ms to 1 s, or not at all (0), not for " + most);
        }
        this.prefetching = most;
        return this;
    }

    /**
     * How long an operation may take from the moment it is requested, including the wait for earlier calls for the same key and
     * repetitions while a cluster moves the key. A connection on which Redis owes an answer is given up after one and a half times
     * as long at most. Opening a connection may take as long, and at least up to two seconds.
     */
    public RedisStoreBuilder timeout(Duration timeout) {
        if (timeout.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException("a timeout must be at least 1 ms, not " + timeout);
        }
        this.timeout = timeout;
        return this;
    }

    /** The clock of this process, which decides nothing. For tests. */
    RedisStoreBuilder wallMicros(LongSupplier wallMicros) {
        this.wallMicros = wallMicros;
        return this;
    }

    /** Starts at once, and connects in the background as soon as Redis can be reached. Until then operations fail. */
    public RedisStoreBuilder startDegraded() {
        this.inBackground = true;
        return this;
    }

    /**
     * Waits for the first attempt to connect, and starts even if it fails; further attempts follow in the background.
     *
     * @param onFailure receives the reason. It may throw if no later attempt could succeed; {@link #build} then throws the same
     */
    public RedisStoreBuilder startDegraded(Consumer<StoreException> onFailure) {
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
        RedisConnection connection = source.create(timeout);
        if (inBackground) {
            return store(connection.openLater());
        }
        try {
            RedisStore store = store(connection.open(onFailure));
            return connection.wasConnected() ? store.warmedUp(onFailure) : store;
        } catch (RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    private RedisStore store(RedisConnection connection) {
        Names names = names();
        return new RedisStore(
                connection,
                algorithms,
                names,
                new ScriptBinder(connection::run, names, algorithms, timeout, wallMicros),
                coalescing ? new Coalescer(System::nanoTime, timeout) : null,
                denialCap.isZero() ? null : new Denials(System::nanoTime, denialCap, Denials.DEFAULT_ENTRIES),
                prefetching.isZero() ? null : new Prefetching(System::nanoTime, connection::after, prefetching));
    }

    private Names names() {
        if (readable && secret != null) {
            throw new IllegalArgumentException("keys are either readable or derived from a secret, not both");
        }
        return readable ? Names.readable(prefix) : secret != null ? Names.keyed(prefix, secret) : Names.hashed(prefix);
    }
}
