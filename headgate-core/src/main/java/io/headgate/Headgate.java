package io.headgate;

import io.headgate.algorithm.BuiltIn;
import io.headgate.guard.Guard;
import io.headgate.guard.GuardSettings;
import io.headgate.memory.MemoryStore;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The entry point: creates limiters in one line, wired with the defaults.
 *
 * <pre>{@code
 * RateLimiter limiter = Headgate.limiter("10/min");
 *
 * Headgate headgate = Headgate.builder().maxKeys(100_000).build();
 * RateLimiter login = headgate.limiter("login", Plan.parse("5/min", "20/h"));
 * }</pre>
 */
public final class Headgate {

    private final Store store;
    private final @Nullable Guard guard;
    private final TimeSource time;

    private Headgate(Store store, @Nullable Guard guard, TimeSource time) {
        this.store = store;
        this.guard = guard;
        this.time = time;
    }

    /** An in-process limiter with its own keys, for limits in their {@linkplain Limit#parse text form}. */
    public static RateLimiter limiter(String... limits) {
        return builder().build().limiter("default", Plan.parse(limits));
    }

    /**
     * A limiter for the keys of a scope. Limiters of the same scope share their keys and what was spent.
     *
     * @throws IllegalArgumentException if the store cannot apply the plan
     */
    public RateLimiter limiter(String scope, Plan plan) {
        return new StoreLimiter(scope, plan, store, time);
    }

    /**
     * As {@link #limiter(String, Plan)}, with the given policy for failures of the store. Without a guard the policy has no effect,
     * and the limiter throws the exceptions of the store.
     */
    public RateLimiter limiter(String scope, Plan plan, FailurePolicy onStoreFailure) {
        return new StoreLimiter(scope, plan, guard != null ? guard.store(onStoreFailure) : store, time);
    }

    /** The store of the limiters that name no policy. */
    public Store store() {
        return store;
    }

    /** The guard in front of the store, for monitoring. */
    public Optional<Guard> guard() {
        return Optional.ofNullable(guard);
    }

    /** The algorithms that come with Headgate. */
    public static Algorithms algorithms() {
        return Algorithms.of(BuiltIn.algorithms());
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Configures what differs from the defaults. */
    public static final class Builder {

        private Algorithms algorithms = algorithms();
        private TimeSource time = TimeSource.system();
        private int maxKeys = MemoryStore.DEFAULT_MAX_KEYS;
        private @Nullable Store store;
        private @Nullable GuardSettings guard;

        private Builder() {}

        /** Adds an algorithm to the in-process store, or replaces the one with the same id. A guard needs it there too. */
        public Builder algorithm(Algorithm<?> algorithm) {
            algorithms = algorithms.with(algorithm);
            return this;
        }

        /** The time source of the in-process store and of waiting. */
        public Builder timeSource(TimeSource time) {
            this.time = Objects.requireNonNull(time, "time");
            return this;
        }

        /** How many keys the in-process store holds at most; a million by default. */
        public Builder maxKeys(int maxKeys) {
            this.maxKeys = MemoryStore.checkedMaxKeys(maxKeys);
            return this;
        }

        /**
         * Replaces the in-process store; the given store has its own algorithms and its own time. A store that can fail should have
         * a {@linkplain #guard(GuardSettings) guard}.
         */
        public Builder store(Store store) {
            this.store = Objects.requireNonNull(store, "store");
            return this;
        }

        /**
         * Puts a guard in front of the {@linkplain #store(Store) store}: the guard enforces a deadline, and while the store fails,
         * limiters follow their {@link FailurePolicy}, by default {@link FailurePolicy#LOCAL}.
         */
        public Builder guard(GuardSettings settings) {
            this.guard = Objects.requireNonNull(settings, "settings");
            return this;
        }

        public Headgate build() {
            Store memory = new MemoryStore(algorithms, time, maxKeys);
            if (guard == null) {
                return new Headgate(store != null ? store : memory, null, time);
            }
            if (store == null) {
                throw new IllegalArgumentException("a guard needs a store that can fail: name one with store(...)");
            }
            Guard before = new Guard(store, memory, guard, time);
            return new Headgate(before.store(FailurePolicy.LOCAL), before, time);
        }
    }
}
