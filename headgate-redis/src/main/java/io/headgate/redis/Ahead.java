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
    private final Backend backend;
    private final Demand demand;
    private final ConcurrentHashMap<Key, Stock> stocks = new ConcurrentHashMap<>();
    private final Stock.Keeper keeper;

    /** Does something later. */
    interface Alarm {

        void after(long nanos, Runnable then);
    }

    /**
     * A lane that keeps permits for that long.
     *
     * @param next for whom there is none, and for what is given back
     * @param backend what permits are taken from, many in one call
     * @param nanos the monotonic clock
     */
    Ahead(Lane next, Backend backend, LongSupplier nanos, Alarm alarm, Duration lasts) {
        this.next = next;
        this.backend = backend;
        this.nanos = nanos;
        this.lastsNanos = lasts.toNanos();
        this.demand = new Demand(lastsNanos);
        this.keeper = new Stock.Keeper(backend, next, nanos, alarm, lastsNanos, stocks);
    }

    /** The future is the next lane's own, but for permits and resets, so that cancelling it reaches there. */
    @Override
    public CompletableFuture<Decision> apply(Key key, Plan plan, Operation operation) {
        Stock stock = stocks.get(key);
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

    /** Ends what was taken before it, and what was taken while it stood in line. */
    private CompletableFuture<Decision> reset(Key key, Plan plan, @Nullable Stock before) {
        close(before, plan);
        return next.apply(key, plan, Operation.RESET).whenComplete((decision, failure) -> close(stocks.get(key), plan));
    }

    private static void close(@Nullable Stock stock, Plan plan) {
        if (stock != null) {
            stock.close(plan);
        }
    }

    private void begin(Key key, Plan plan, @Nullable Decision decision) {
        if (decision instanceof Decision.Allowed granted
                && Stock.isWorthwhile(granted.remaining())
                && !stocks.containsKey(key)
                && suits(plan)) {
            long now = nanos.getAsLong();
            Stock stock = new Stock(key, plan, granted.remaining(), keeper, now);
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

    /** Gives all permits back; done when Redis has them. */
    CompletableFuture<Void> close() {
        return CompletableFuture.allOf(
                stocks.values().stream().map(stock -> stock.close(stock.plan)).toArray(CompletableFuture[]::new));
    }

    /** How many keys have a stock, or had one just before. */
    int stocks() {
        return stocks.size();
    }
}
