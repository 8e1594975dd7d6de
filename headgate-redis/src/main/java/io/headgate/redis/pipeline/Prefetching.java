package io.headgate.redis.pipeline;

import io.headgate.Key;
import io.headgate.Ledger;
import io.headgate.Limit;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The permits of busy keys that a store has taken before requests ask for them, so that few requests have to wait for Redis.
 *
 * <p>A prefetched permit is charged like any other, and its decision is kept among the {@link PrefetchedPermits} of its key for the next
 * request. After the configured time, the <em>lifetime</em>, the permit expires and is given back. So Redis has granted every permit
 * that is used, but up to one lifetime earlier. Therefore a bound that an algorithm guarantees for every interval of length W holds
 * here for every interval that is shorter by the lifetime: every permit used in such an interval was charged in the interval of
 * length W that ends with it.
 *
 * <p>The lifetime starts when the call is <em>sent</em>, on the monotonic clock, so that no permit is used later than promised. Permits
 * are prefetched only for keys that were asked for {@link #BUSY} times within one lifetime, for requests of a single permit, and under
 * plans whose windows are at least {@link #TIMES} times as long as the lifetime. A reset or a request under another plan ends the use
 * of the permits of a key.
 */
public final class Prefetching {

    /** How often a key must be asked for within one lifetime to have permits prefetched. */
    static final int BUSY = 8;

    /** How many times as long as the lifetime the windows of a plan must be, at least. */
    static final int TIMES = 10;

    final LongSupplier nanos;
    final Timer timer;
    final long lifetimeNanos;

    private final DemandEstimate demand;
    private final ConcurrentHashMap<Key, PrefetchedPermits> permits = new ConcurrentHashMap<>();

    /** @param nanos the monotonic clock */
    public Prefetching(LongSupplier nanos, Timer timer, Duration lifetime) {
        this.nanos = nanos;
        this.timer = timer;
        this.lifetimeNanos = lifetime.toNanos();
        this.demand = new DemandEstimate(lifetimeNanos);
    }

    /**
     * A ledger that hands out prefetched permits.
     *
     * @param calls takes the permits, many in one call
     * @param next handles the operations that no permit is prefetched for, and the refunds
     */
    public Ledger over(String scope, PlanCalls calls, Ledger next) {
        return new PrefetchingLedger(this, scope, calls, next);
    }

    /** Whether permits can be prefetched under that plan. */
    boolean suits(PlanCalls calls) {
        for (Limit limit : calls.plan().limits()) {
            if (limit.periodMicros() < TIMES * lifetimeNanos / 1_000) {
                return false;
            }
        }
        return calls.isOneCall();
    }

    /** The permits of that key; {@code null} if none are prefetched for it. */
    @Nullable
    PrefetchedPermits of(Key key) {
        return permits.get(key);
    }

    /** Counts a request for the key; true if it is busy. */
    boolean isBusy(Key key) {
        return demand.count(key, nanos.getAsLong()) >= BUSY;
    }

    /** Starts to prefetch permits of a key that has {@code remaining} of them left, unless that has been done already. */
    void begin(Key key, PrefetchingLedger ledger, long remaining) {
        if (PrefetchedPermits.isWorthwhile(remaining) && !permits.containsKey(key)) {
            long now = nanos.getAsLong();
            PrefetchedPermits empty = new PrefetchedPermits(this, key, ledger, remaining, now);
            if (permits.putIfAbsent(key, empty) == null) {
                empty.fill(now);
            }
        }
    }

    void end(Key key, PrefetchedPermits ended) {
        permits.remove(key, ended);
    }

    /** Gives all permits back. The future completes when Redis has them. */
    public CompletableFuture<Void> close() {
        return CompletableFuture.allOf(
                permits.values().stream().map(PrefetchedPermits::close).toArray(CompletableFuture[]::new));
    }

    /** For how many keys permits are prefetched, or were until a moment ago. */
    int keys() {
        return permits.size();
    }
}
