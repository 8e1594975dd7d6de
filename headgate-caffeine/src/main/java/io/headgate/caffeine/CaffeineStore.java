package io.headgate.caffeine;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.stats.CacheStats;
import com.github.benmanes.caffeine.cache.stats.ConcurrentStatsCounter;
import com.github.benmanes.caffeine.cache.stats.StatsCounter;
import io.headgate.Algorithms;
import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.Key;
import io.headgate.Ledger;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Store;
import io.headgate.TimeSource;
import io.headgate.engine.BoundPlan;
import io.headgate.engine.KeyState;

/**
 * A store that keeps the state of one process in a Caffeine cache.
 *
 * <pre>{@code
 * Headgate headgate = Headgate.builder().store(new CaffeineStore(100_000)).build();
 * }</pre>
 *
 * <p>A key leaves the cache in two cases: when its budget is full again, which no client can notice, or when the cache evicts it
 * for lack of room; its client then starts over with a full budget. So a flood of other keys can evict the state of a client
 * that is being limited. {@code MemoryStore} does not allow this and decides faster; use this store for the
 * {@linkplain #stats statistics} of the cache.
 */
public final class CaffeineStore implements Store {

    private final Algorithms algorithms;
    private final TimeSource time;
    private final StatsCounter counter = new ConcurrentStatsCounter();
    private final Cache<Key, KeyState> cache;

    /** Creates a store with the built-in algorithms and the system time. */
    public CaffeineStore(int maxKeys) {
        this(Headgate.algorithms(), TimeSource.system(), maxKeys);
    }

    public CaffeineStore(Algorithms algorithms, TimeSource time, int maxKeys) {
        if (maxKeys < 1) {
            throw new IllegalArgumentException("a store must hold at least 1 key, not " + maxKeys);
        }
        this.algorithms = algorithms;
        this.time = time;
        this.cache = Caffeine.newBuilder()
                .maximumSize(maxKeys)
                .expireAfter(new UntilFull())
                .ticker(() -> time.nowMicros() * 1_000)
                .executor(Runnable::run) // maintenance is short, and a store has no threads
                .recordStats(() -> counter)
                .build();
    }

    @Override
    public Ledger bind(String scope, Plan plan) {
        BoundPlan boundPlan = new BoundPlan(plan, algorithms);
        return (subject, operation) -> apply(new Key(scope, subject), boundPlan, operation);
    }

    /**
     * Applies the operation inside a computation of the cache, which does one at a time for each key. The time is read there, so it is
     * never earlier than the time at which the state was written.
     */
    private Decision apply(Key key, BoundPlan boundPlan, Operation operation) {
        Decision[] answer = new Decision[1];
        cache.asMap().compute(key, (same, kept) -> {
            long now = time.nowMicros();
            KeyState state = kept == null ? KeyState.fresh(boundPlan, now) : kept.under(boundPlan, now);
            KeyState.Step step = state.apply(operation, key.subject(), now);
            answer[0] = step.decision();
            count(kept != null);
            return step.next().fullAtMicros(now) <= now ? null : step.next();
        });
        return answer[0];
    }

    /** Counts a hit or a miss, because the cache does not count computations. */
    private void count(boolean hit) {
        if (hit) {
            counter.recordHits(1);
        } else {
            counter.recordMisses(1);
        }
    }

    @Override
    public Algorithms algorithms() {
        return algorithms;
    }

    @Override
    public boolean inProcess() {
        return true;
    }

    /** The number of keys in the cache. */
    public long keys() {
        cache.cleanUp();
        return cache.estimatedSize();
    }

    /** The statistics of the cache. Hits are operations that found their key; evictions include keys whose budget was full. */
    public CacheStats stats() {
        return cache.stats();
    }
}
