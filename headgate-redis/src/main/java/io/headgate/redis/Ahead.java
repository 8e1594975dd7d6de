package io.headgate.redis;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes permits of a busy key before requests ask for them, so that few requests have to wait for Redis.
 *
 * <p>A permit that is taken ahead is charged like any other, and its decision is kept in the {@link PrefetchedPermits} of its key for the next
 * request. After the configured time, the <em>lifetime</em>, the permit expires and is given back. So Redis has granted every permit
 * that is used, but up to one lifetime earlier. Therefore a bound that an algorithm guarantees for every interval of length W holds
 * here for every interval that is shorter by the lifetime: every permit used in such an interval was charged in the interval of
 * length W that ends with it.
 *
 * <p>The lifetime starts when the call is <em>sent</em>, on the monotonic clock, so that no permit is used later than promised. Only
 * keys that were asked for {@link #BUSY} times within one lifetime get a stock, and only for requests of a single permit, under plans
 * whose windows are at least {@link #TIMES} times as long as the lifetime. A reset or another plan closes the stock.
 */
final class Ahead implements Lane {

    /** How often a key must be asked for within one lifetime to get a stock. */
    static final int BUSY = 8;

    /** How many times as long as the lifetime the windows of a plan must be, at least. */
    static final int TIMES = 10;

    private final Lane next;
    private final LongSupplier nanos;
    private final long lastsNanos;
    private final Backend backend;
    private final DemandEstimate demand;
    private final ConcurrentHashMap<Key, PrefetchedPermits> stocks = new ConcurrentHashMap<>();
    private final PrefetchedPermits.Keeper keeper;

    /** Runs a task later. */
    interface Alarm {

        void after(long nanos, Runnable then);
    }

    /**
     * Creates a lane that keeps each permit for {@code lasts}, its lifetime.
     *
     * @param next handles the operations that no permit is in stock for, and the refunds
     * @param backend takes the permits, many in one call
     * @param nanos the monotonic clock
     */
    Ahead(Lane next, Backend backend, LongSupplier nanos, Alarm alarm, Duration lasts) {
        this.next = next;
        this.backend = backend;
        this.nanos = nanos;
        this.lastsNanos = lasts.toNanos();
        this.demand = new DemandEstimate(lastsNanos);
        this.keeper = new PrefetchedPermits.Keeper(backend, next, nanos, alarm, lastsNanos, stocks);
    }

    /** Returns the next lane's own future, except for permits in stock and for resets, so that cancelling it reaches that lane. */
    @Override
    public CompletableFuture<Decision> apply(Key key, Plan plan, Operation operation) {
        PrefetchedPermits stock = stocks.get(key);
        if (operation instanceof Operation.Reset) {
            return reset(key, plan, stock);
        }
        boolean single = operation.equals(Operation.ONE);
        if (stock == null) {
            return single ? ask(key, plan) : next.apply(key, plan, operation);
        }
        Decision.Allowed ready = single ? stock.take(plan, nanos.getAsLong()) : null;
        if (ready != null) {
            return CompletableFuture.completedFuture(ready);
        }
        CompletableFuture<Decision> answer = next.apply(key, plan, operation);
        answer.whenComplete((decision, failure) -> stock.hear(plan, decision));
        return answer;
    }

    private CompletableFuture<Decision> ask(Key key, Plan plan) {
        CompletableFuture<Decision> answer = next.apply(key, plan, Operation.ONE);
        if (demand.count(key, nanos.getAsLong()) >= BUSY) {
            answer.whenComplete((decision, failure) -> begin(key, plan, decision));
        }
        return answer;
    }

    /** Closes the stock twice: before the reset, and after it for permits that were taken while the reset waited in line. */
    private CompletableFuture<Decision> reset(Key key, Plan plan, @Nullable PrefetchedPermits before) {
        close(before, plan);
        return next.apply(key, plan, Operation.RESET).whenComplete((decision, failure) -> close(stocks.get(key), plan));
    }

    private static void close(@Nullable PrefetchedPermits stock, Plan plan) {
        if (stock != null) {
            stock.close(plan);
        }
    }

    private void begin(Key key, Plan plan, @Nullable Decision decision) {
        if (decision instanceof Decision.Allowed granted
                && PrefetchedPermits.isWorthwhile(granted.remaining())
                && !stocks.containsKey(key)
                && suits(plan)) {
            long now = nanos.getAsLong();
            PrefetchedPermits stock = new PrefetchedPermits(key, plan, granted.remaining(), keeper, now);
            if (stocks.putIfAbsent(key, stock) == null) {
                stock.fill(now);
            }
        }
    }

    private boolean suits(Plan plan) {
        for (Limit limit : plan.limits()) {
            if (limit.periodMicros() < TIMES * lastsNanos / 1_000) {
                return false;
            }
        }
        return backend.isOneCall(plan);
    }

    /** Gives all permits back. The future completes when Redis has them. */
    CompletableFuture<Void> close() {
        return CompletableFuture.allOf(
                stocks.values().stream().map(stock -> stock.close(stock.plan)).toArray(CompletableFuture[]::new));
    }

    /** How many keys have a stock, or had one until a moment ago. */
    int stocks() {
        return stocks.size();
    }
}
