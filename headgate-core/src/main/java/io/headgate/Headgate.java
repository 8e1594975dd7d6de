package io.headgate;

import io.headgate.algorithm.BuiltIn;
import io.headgate.engine.LedgerLimiter;
import io.headgate.guard.Guard;
import io.headgate.guard.GuardSettings;
import io.headgate.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;
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
        return new LedgerLimiter(scope, plan, store().bind(scope, plan), time);
    }

    /**
     * As {@link #limiter(String, Plan)}, with the given policy for failures of the store. A store in this process does not fail.
     *
     * @throws IllegalArgumentException also if the store can fail but has no guard: nothing would follow the policy
     */
    public RateLimiter limiter(String scope, Plan plan, FailurePolicy onStoreFailure) {
        return new LedgerLimiter(scope, plan, store(onStoreFailure).bind(scope, plan), time);
    }

    /** The store of the limiters that name no policy; behind the guard if there is one. */
    public Store store() {
        return guard != null ? guard.store(FailurePolicy.LOCAL) : store;
    }

    /** As {@link #store()}, with the given policy for failures. */
    public Store store(FailurePolicy onStoreFailure) {
        if (guard != null) {
            return guard.store(onStoreFailure);
        }
        if (!store.inProcess()) {
            throw new IllegalArgumentException("the store is unguarded, so its failures are thrown and the policy "
                    + onStoreFailure + " has no effect: remove unguarded(), or name no policy");
        }
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

        private final List<Algorithm<?>> added = new ArrayList<>();
        private TimeSource time = TimeSource.system();
        private int maxKeys = MemoryStore.DEFAULT_MAX_KEYS;
        private @Nullable Store store;
        private @Nullable GuardSettings guard;
        private boolean unguarded;

        private Builder() {}

        /**
         * Adds an algorithm to the in-process store, or replaces the one with the same id. A {@linkplain #store(Store) store} of your own
         * gets its algorithms where it is built: it may bind plans before it comes here. What stands in for it during an outage
         * takes them from there.
         */
        public Builder algorithm(Algorithm<?> algorithm) {
            added.add(Objects.requireNonNull(algorithm, "algorithm"));
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
         * Replaces the in-process store; the given store has its own algorithms and its own time. Unless it is in process too, it gets
         * a guard: no check waits for it longer than a deadline, and while it fails, limiters follow their {@link FailurePolicy}, by
         * default {@link FailurePolicy#LOCAL}.
         */
        public Builder store(Store store) {
            this.store = Objects.requireNonNull(store, "store");
            return this;
        }

        /** The settings of the guard in front of a {@linkplain #store(Store) store} that can fail. */
        public Builder guard(GuardSettings settings) {
            this.guard = Objects.requireNonNull(settings, "settings");
            this.unguarded = false;
            return this;
        }

        /** Leaves out the guard: limiters then wait for the store as long as it takes, and throw its exceptions. */
        public Builder unguarded() {
            this.unguarded = true;
            return this;
        }

        /**
         * Wires what was given.
         *
         * @throws IllegalArgumentException if the store does not know an algorithm that was added here
         */
        public Headgate build() {
            if (store == null) {
                if (guard != null) {
                    throw new IllegalArgumentException("a guard needs a store that can fail: name one with store(...)");
                }
                Algorithms all = algorithms();
                for (Algorithm<?> each : added) {
                    all = all.with(each);
                }
                return new Headgate(new MemoryStore(all, time, maxKeys), null, time);
            }
            requireKnown(added, store);
            if (unguarded || (guard == null && store.inProcess())) {
                return new Headgate(store, null, time);
            }
            GuardSettings settings = guard != null ? guard : GuardSettings.DEFAULT;
            Store memory = new MemoryStore(store.algorithms(), time, maxKeys);
            return new Headgate(store, new Guard(store, memory, settings, time), time);
        }

        private static void requireKnown(List<Algorithm<?>> added, Store store) {
            for (Algorithm<?> each : added) {
                if (!store.algorithms().contains(each)) {
                    throw new IllegalArgumentException(
                            "the algorithm '" + each.id() + "' was given to Headgate.builder(), but "
                                    + store + " applies its own: give it to that store where it is built, as in"
                                    + " RedisStore.builder(uri).algorithm(algorithm); Headgate takes it from there");
                }
            }
        }
    }
}
