package io.headgate.redis;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes permits of a busy key before they are asked for, so that hardly anybody has to wait for Redis.
 *
 * <p>A permit that is taken ahead is charged like any other, and the answer is kept in the {@link Stock} of its key for whoever comes
 * next. After a while it is good no more, and is given back. So Redis has granted whatever is admitted, but up to that while
 * before. Therefore what an algorithm promises of every interval of length W holds here of every interval that is shorter by the
 * while: every permit that is used in such a one was charged in one of length W that ends with it.
 *
 * <p>The while counts from when the call was <em>sent</em>, on the monotonic clock, so that no permit is used later than promised. Only
 * keys that were asked for {@link #BUSY} times in one such while have a stock, for single permits under plans whose windows are
 * {@link #TIMES} times as long. A reset or another plan ends it.
 */
final class Ahead implements Lane {

    /** How often a key must be asked for in one while. */
    static final int BUSY = 8;

    /** How many times as long as the while the windows of a plan must be. */
    static final int TIMES = 10;

    private final Lane next;
    private final LongSupplier nanos;
    private final long lastsNanos;
    private final Stock.Keeper keeper;
    private final Backend backend;
    private final Demand demand;
    private final ConcurrentHashMap<Key, Stock> stocks = new ConcurrentHashMap<>();

    /** Does something later. */
    interface Alarm {

        Alarm SYSTEM = (nanos, then) ->
                CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS).execute(then);

        void after(long nanos, Runnable then);
    }

    /**
     * A lane that keeps permits for that long.
     *
     * @param next for whom there is none
     * @param backend what permits are taken from, many in one call
     * @param nanos the monotonic clock
     */
    Ahead(Lane next, Backend backend, LongSupplier nanos, Alarm alarm, Duration lasts) {
        this.next = next;
        this.backend = backend;
        this.nanos = nanos;
        this.lastsNanos = lasts.toNanos();
        this.demand = new Demand(lastsNanos);
        this.keeper = new Stock.Keeper(backend, nanos, alarm, lastsNanos, stocks);
    }

    @Override
    public CompletableFuture<Decision> apply(Key key, Plan plan, Operation operation) {
        Stock stock = stocks.get(key);
        if (!operation.equals(Operation.ONE)) {
            if (stock != null && operation instanceof Operation.Reset) {
                stock.close();
            }
            return next.apply(key, plan, operation);
        }
        long now = nanos.getAsLong();
        if (stock == null) {
            return ask(key, plan, now);
        }
        if (!stock.plan.equals(plan)) {
            stock.close();
            return next.apply(key, plan, operation);
        }
        Decision.Allowed ready = stock.take(now);
        return ready == null ? next.apply(key, plan, operation) : CompletableFuture.completedFuture(ready);
    }

    /** The future is the next lane's own, so that cancelling it reaches there. */
    private CompletableFuture<Decision> ask(Key key, Plan plan, long now) {
        CompletableFuture<Decision> answer = next.apply(key, plan, Operation.ONE);
        if (demand.count(key, now) >= BUSY) {
            answer.whenComplete((decision, failure) -> begin(key, plan, decision));
        }
        return answer;
    }

    private void begin(Key key, Plan plan, @Nullable Decision decision) {
        if (!(decision instanceof Decision.Allowed granted) || stocks.containsKey(key) || !suits(plan)) {
            return;
        }
        Stock stock = new Stock(key, plan, granted.remaining(), keeper);
        if (stock.isWorthwhile() && stocks.putIfAbsent(key, stock) == null) {
            stock.fill(nanos.getAsLong());
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

    /** How many keys have a stock. */
    int stocks() {
        return stocks.size();
    }
}
