package io.headgate.redis;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Operation;
import io.headgate.Plan;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Permits of one key that were taken {@linkplain Ahead ahead}, oldest first.
 *
 * <p>It is filled again when half of it is gone, so that more are there before the last is. How many it holds follows what is asked
 * for: twice as many when somebody came in vain or the last filling was just before, fewer by those that nobody came for. But it never
 * holds more than an eighth of what remained when it last heard: the end of a budget is left to whoever asks.
 *
 * <p>Everything that was taken is used once or given back, whatever becomes of the stock. With the last permit a stock that nobody asks goes
 * as well. When Redis refuses, fails or answers too late, taking ahead rests for a while.
 */
final class Stock {

    private static final System.Logger LOG = System.getLogger(Stock.class.getName());

    /** How many permits a stock holds at first, and is worth having for. */
    static final int LEAST = 8;

    static final int MOST = 1024;

    /** Of what remains it holds one part in so many. */
    static final int SHARE = 8;

    /** It grows when it is filled more often than so many times while a permit is good. */
    private static final int FILLINGS = 4;

    /** How long taking ahead rests, in times that a permit is good for. */
    static final int REST = 10;

    final Plan plan;

    private final Key key;
    private final Keeper keeper;
    private final ConcurrentLinkedQueue<Permit> permits = new ConcurrentLinkedQueue<>();

    /** How many are here or on their way. */
    private final AtomicInteger level = new AtomicInteger();

    private final AtomicInteger target = new AtomicInteger(LEAST);

    /** Whether an alarm is set, at which what is good no more is given back. */
    private final AtomicBoolean watched = new AtomicBoolean();

    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile boolean missed;
    private volatile long filledNanos;
    private volatile long remaining;

    /** A grant that nobody has asked for yet, and when it was. */
    private record Permit(Decision.Allowed grant, long sentNanos) {}

    /**
     * What all stocks share.
     *
     * @param lastsNanos how long a permit is good for
     * @param stocks where a stock is while it is open, or rests
     */
    record Keeper(
            Backend backend,
            LongSupplier nanos,
            Ahead.Alarm alarm,
            long lastsNanos,
            ConcurrentHashMap<Key, Stock> stocks) {

        CompletableFuture<List<Decision>> run(Key key, Plan plan, List<Operation> operations) {
            try {
                return backend.run(key, plan, operations);
            } catch (RuntimeException | Error e) {
                return CompletableFuture.failedFuture(e);
            }
        }
    }

    /** An empty one, of a key of which so much remains. */
    Stock(Key key, Plan plan, long remaining, Keeper keeper) {
        this.key = key;
        this.plan = plan;
        this.remaining = remaining;
        this.keeper = keeper;
    }

    boolean isWorthwhile() {
        return remaining / SHARE >= LEAST;
    }

    /** A permit that is still good; {@code null} if there is none. */
    Decision.@Nullable Allowed take(long nowNanos) {
        if (closed.get()) {
            return null;
        }
        Permit first = next();
        List<Decision.Allowed> unused = new ArrayList<>(0);
        while (first != null && isOld(first, nowNanos)) {
            unused.add(first.grant);
            first = next();
        }
        giveBack(unused);
        if (first == null) {
            missed = true;
        }
        fill(nowNanos);
        return first == null ? null : first.grant;
    }

    private @Nullable Permit next() {
        Permit next = permits.poll();
        if (next != null) {
            level.decrementAndGet();
        }
        return next;
    }

    private boolean isOld(Permit permit, long nowNanos) {
        return nowNanos - permit.sentNanos >= keeper.lastsNanos;
    }

    /** Asks for more if half is gone. */
    void fill(long nowNanos) {
        int now = level.get();
        int wanted = target.get();
        if (now > wanted / 2) {
            return;
        }
        boolean grows = missed || nowNanos - filledNanos < keeper.lastsNanos / FILLINGS;
        int most = grows ? Math.min(MOST, 2 * wanted) : wanted;
        int more = (int) Math.min(most, remaining / SHARE) - now;
        if (more <= 0 || !level.compareAndSet(now, now + more)) {
            return;
        }
        target.compareAndSet(wanted, most);
        missed = false;
        filledNanos = nowNanos;
        for (int left = more; left > 0; left -= Coalescer.MOST) {
            ask(Math.min(left, Coalescer.MOST), nowNanos);
        }
    }

    private void ask(int count, long sentNanos) {
        keeper.run(key, plan, Collections.nCopies(count, Operation.ONE))
                .whenComplete(
                        (decisions, failure) -> landed(count, decisions == null ? List.of() : decisions, sentNanos));
    }

    private void landed(int count, List<Decision> decisions, long sentNanos) {
        int granted = 0;
        for (Decision each : decisions) {
            if (each instanceof Decision.Allowed grant) {
                permits.add(new Permit(grant, sentNanos));
                granted++;
            }
            remaining = each.remaining();
        }
        level.addAndGet(granted - count);
        boolean late = keeper.nanos.getAsLong() - sentNanos >= keeper.lastsNanos;
        if (granted < count || late) {
            rest();
        } else if (closed.get()) {
            drain();
        } else {
            watch(sentNanos + keeper.lastsNanos);
        }
    }

    private void watch(long untilNanos) {
        if (watched.compareAndSet(false, true)) {
            keeper.alarm.after(Math.max(1, untilNanos - keeper.nanos.getAsLong()), this::sweep);
        }
    }

    /** Gives back what is good no more; the stock as well, if that was all. */
    private void sweep() {
        watched.set(false);
        long now = keeper.nanos.getAsLong();
        List<Decision.Allowed> unused = new ArrayList<>();
        Permit first = permits.peek();
        while (first != null && isOld(first, now)) {
            if (permits.remove(first)) {
                level.decrementAndGet();
                unused.add(first.grant);
            }
            first = permits.peek();
        }
        giveBack(unused);
        target.updateAndGet(wanted -> Math.max(LEAST, wanted - unused.size()));
        if (level.get() == 0) {
            close();
        } else {
            watch((first == null ? now : first.sentNanos) + keeper.lastsNanos);
        }
    }

    /** Gives everything back and is gone. */
    void close() {
        closed.set(true);
        keeper.stocks.remove(key, this);
        drain();
    }

    /** Gives everything back, and keeps its place for a while so that nobody begins anew. */
    private void rest() {
        closed.set(true);
        drain();
        keeper.alarm.after(REST * keeper.lastsNanos, this::close);
    }

    private void drain() {
        List<Decision.Allowed> unused = new ArrayList<>();
        for (Permit each = next(); each != null; each = next()) {
            unused.add(each.grant);
        }
        giveBack(unused);
    }

    private void giveBack(List<Decision.Allowed> grants) {
        for (int from = 0; from < grants.size(); from += Coalescer.MOST) {
            List<Operation> refunds = new ArrayList<>();
            for (Decision.Allowed each : grants.subList(from, Math.min(from + Coalescer.MOST, grants.size()))) {
                refunds.add(new Operation.Refund(each));
            }
            keeper.run(key, plan, refunds).whenComplete((done, failure) -> {
                if (failure != null) {
                    LOG.log(System.Logger.Level.DEBUG, "permits that nobody came for were not given back", failure);
                }
            });
        }
    }
}
