package io.headgate.caffeine;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.stats.CacheStats;
import com.github.benmanes.caffeine.cache.stats.ConcurrentStatsCounter;
import com.github.benmanes.caffeine.cache.stats.StatsCounter;
import io.headgate.Algorithms;
import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.Judge;
import io.headgate.Key;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Store;
import io.headgate.TimeSource;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the limits of one process in a Caffeine cache.
 *
 * <pre>{@code
 * Headgate headgate = Headgate.builder().store(new CaffeineStore(100_000)).build();
 * }</pre>
 *
 * <p>A key leaves the cache when its budget is full again, which nobody can see, or when there is no room for it, which its
 * client can: it starts over with a full budget. So a flood of other keys can wash out the counter of a client that is being
 * limited. {@code MemoryStore} does not let that happen and takes less time for a decision; this store is for those who want the
 * cache's {@linkplain #stats statistics}.
 */
public final class CaffeineStore implements Store {

    private final Algorithms algorithms;
    private final TimeSource time;
    private final StatsCounter counter = new ConcurrentStatsCounter();
    private final Cache<Key, Held> cache;
    private final ConcurrentHashMap<Plan, Judge> judges = new ConcurrentHashMap<>();

    /** A store with the built-in algorithms and the time of this machine. */
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
                .expireAfter(new Held.UntilFull())
                .ticker(() -> time.nowMicros() * 1_000)
                .executor(Runnable::run) // nothing it does takes long, and a store has no threads
                .recordStats(() -> counter)
                .build();
    }

    @Override
    public Decision apply(Key key, Plan plan, Operation operation) {
        Judge judge = judges.computeIfAbsent(plan, missing -> new Judge(missing, algorithms));
        if (operation instanceof Operation.Take take) {
            return take(key, judge, take);
        }
        if (operation instanceof Operation.Refund refund) {
            refund(key, judge, refund.receipt());
        } else if (operation instanceof Operation.Reset) {
            cache.invalidate(key);
        }
        return peek(key, judge, operation instanceof Operation.Peek peek ? peek.cost() : 1);
    }

    // The cache lets one caller at a time at the entry of a key. The time is read there, so it is never earlier than
    // the one the
    // state was written at.

    private Decision take(Key key, Judge judge, Operation.Take take) {
        Decision[] answer = new Decision[1];
        cache.asMap().compute(key, (same, held) -> {
            long now = time.nowMicros();
            Object state = found(held, judge, now);
            Decision decision = judge.take(state, key.subject(), take.cost(), take.maxWaitMicros(), now);
            answer[0] = decision;
            if (decision instanceof Decision.Allowed granted && granted.stamp() != null) {
                return new Held(judge, granted.stamp());
            }
            return held == null ? null : moved(held, judge, judge.rebase(state, now));
        });
        return answer[0];
    }

    private Decision peek(Key key, Judge judge, long cost) {
        Decision[] answer = new Decision[1];
        cache.asMap().computeIfPresent(key, (same, held) -> {
            long now = time.nowMicros();
            Object state = found(held, judge, now);
            answer[0] = judge.peek(state, key.subject(), cost, now);
            return moved(held, judge, state);
        });
        if (answer[0] != null) {
            return answer[0];
        }
        long now = time.nowMicros();
        return judge.peek(found(null, judge, now), key.subject(), cost, now);
    }

    private void refund(Key key, Judge judge, Decision.Allowed receipt) {
        Object charged = receipt.stamp();
        long cost = receipt.claimRefund();
        if (charged == null || cost == 0) {
            return;
        }
        cache.asMap().computeIfPresent(key, (same, held) -> {
            long now = time.nowMicros();
            Object state = found(held, judge, now);
            return new Held(judge, judge.refund(state, receipt, charged, cost, now));
        });
    }

    /** The state under its current plan; what is held already, if neither is another. */
    private static Held moved(Held held, Judge judge, Object state) {
        return held.judge() == judge && held.state() == state ? held : new Held(judge, state);
    }

    /** The state to continue with. Whether there was one is counted here: the cache does not count what it computes. */
    private Object found(@Nullable Held held, Judge judge, long nowMicros) {
        if (held == null) {
            counter.recordMisses(1);
            return judge.fresh(nowMicros);
        }
        counter.recordHits(1);
        return held.under(judge, nowMicros);
    }

    @Override
    public boolean inProcess() {
        return true;
    }

    @Override
    public void check(Plan plan) {
        algorithms.check(plan);
    }

    /** How many keys are held now. */
    public long keys() {
        cache.cleanUp();
        return cache.estimatedSize();
    }

    /** How the cache has done: hits are operations that found their key, and evictions include keys whose budget was full. */
    public CacheStats stats() {
        return cache.stats();
    }
}
