package io.headgate.caffeine;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.stats.CacheStats;
import com.github.benmanes.caffeine.cache.stats.ConcurrentStatsCounter;
import com.github.benmanes.caffeine.cache.stats.StatsCounter;
import io.headgate.Algorithms;
import io.headgate.BoundPlan;
import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.Key;
import io.headgate.KeyState;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Store;
import io.headgate.TimeSource;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

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

    static final int MAX_BOUND_PLANS = 1024;

    private final Algorithms algorithms;
    private final TimeSource time;
    private final StatsCounter counter = new ConcurrentStatsCounter();
    private final Cache<Key, KeyState> cache;
    final ConcurrentHashMap<Plan, BoundPlan> boundPlans = new ConcurrentHashMap<>();

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
    public Decision apply(Key key, Plan plan, Operation operation) {
        BoundPlan known = boundPlans.get(plan);
        BoundPlan boundPlan = known != null ? known : bind(plan);
        if (operation instanceof Operation.Take take) {
            return take(key, boundPlan, take);
        }
        if (operation instanceof Operation.Refund refund) {
            refund(key, boundPlan, refund.receipt());
        } else if (operation instanceof Operation.Reset) {
            reset(key, boundPlan);
        }
        return peek(key, boundPlan, operation instanceof Operation.Peek peek ? peek.cost() : 1);
    }

    private BoundPlan bind(Plan plan) {
        if (boundPlans.size()
                >= MAX_BOUND_PLANS) { // plans keep changing: the boundPlans still in use are created again
            boundPlans.clear();
        }
        return boundPlans.computeIfAbsent(plan, missing -> new BoundPlan(missing, algorithms));
    }

    // The cache computes the entry of a key for one caller at a time. The time is read inside that computation, so it
    // is never earlier than the time at which the state was written.

    private Decision take(Key key, BoundPlan boundPlan, Operation.Take take) {
        Decision[] answer = new Decision[1];
        cache.asMap().compute(key, (same, held) -> {
            long now = time.nowMicros();
            KeyState found = found(held, boundPlan, now);
            Decision decision = boundPlan.take(found.state(), key.subject(), take.cost(), take.maxWaitMicros(), now);
            answer[0] = decision;
            if (decision instanceof Decision.Allowed granted && granted.stamp() != null) {
                return found.with(granted.stamp());
            }
            Object sound = boundPlan.rebase(found.state(), now);
            return held == null ? null : sound == found.state() ? found : found.with(sound);
        });
        return answer[0];
    }

    private Decision peek(Key key, BoundPlan boundPlan, long cost) {
        Decision[] answer = new Decision[1];
        cache.asMap().computeIfPresent(key, (same, held) -> {
            long now = time.nowMicros();
            KeyState found = found(held, boundPlan, now);
            answer[0] = boundPlan.peek(found.state(), key.subject(), cost, now);
            return found;
        });
        if (answer[0] != null) {
            return answer[0];
        }
        long now = time.nowMicros();
        return boundPlan.peek(found(null, boundPlan, now).state(), key.subject(), cost, now);
    }

    private void reset(Key key, BoundPlan boundPlan) {
        cache.asMap().computeIfPresent(key, (same, held) -> {
            long now = time.nowMicros();
            KeyState fresh = held.under(boundPlan, now).reset(now);
            return fresh.retired().isEmpty() ? null : fresh;
        });
    }

    private void refund(Key key, BoundPlan boundPlan, Decision.Allowed receipt) {
        Object charged = receipt.stamp();
        long cost = receipt.claimRefund();
        if (charged == null || cost == 0) {
            return;
        }
        cache.asMap().computeIfPresent(key, (same, held) -> {
            long now = time.nowMicros();
            KeyState found = found(held, boundPlan, now);
            return found.with(boundPlan.refund(found.state(), receipt, charged, cost, now));
        });
    }

    /** The state to continue with. Counts the hit or miss, because the cache does not count computations. */
    private KeyState found(@Nullable KeyState held, BoundPlan boundPlan, long nowMicros) {
        if (held == null) {
            counter.recordMisses(1);
            return KeyState.fresh(boundPlan, nowMicros);
        }
        counter.recordHits(1);
        return held.under(boundPlan, nowMicros);
    }

    @Override
    public boolean inProcess() {
        return true;
    }

    @Override
    public void check(Plan plan) {
        algorithms.check(plan);
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
