package io.headgate.redis;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Standing;
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
 * <p>The stock is refilled when half of it is used, so that new permits arrive before the last one is gone. Its size follows the
 * demand: it doubles when a request found no permit or the last refill was only a moment ago, and it shrinks by the number of permits
 * that expired unused. Together with the permits on their way it holds at most an eighth of what remained according to the last
 * decision: the end of a budget is left to requests that ask Redis themselves.
 *
 * <p>Every permit that arrives is used once or given back. When Redis denies, fails or answers too late, the stock rests: it hands
 * out the permits it has and asks for no more. Once closed, it hands out nothing, and permits still on their way are given back when
 * they expire. A stock is removed when it is empty and its rest is over; until then no other stock is created for its key.
 */
final class PrefetchedPermits {

    private static final System.Logger LOG = System.getLogger(PrefetchedPermits.class.getName());

    /** How many permits a stock holds at first, and at least: a smaller one is not worth having. */
    static final int LEAST = 8;

    static final int MOST = 1024;

    /** A stock holds at most one in this many of the permits that remain. */
    static final int SHARE = 8;

    /** A stock grows when it is filled more often than this within the lifetime of a permit. */
    private static final int FILLINGS = 4;

    /** How long a stock rests, in lifetimes of a permit. */
    static final int REST = 10;

    final Plan plan;

    private final Key key;
    private final Keeper keeper;
    private final ConcurrentLinkedQueue<Permit> permits = new ConcurrentLinkedQueue<>();

    /** How many permits are in the stock or on their way. */
    private final AtomicInteger level = new AtomicInteger();

    private final AtomicInteger target = new AtomicInteger(LEAST);

    /** Whether an alarm is set that gives expired permits back. */
    private final AtomicBoolean watched = new AtomicBoolean();

    private volatile long remaining;
    private volatile boolean missed;
    private volatile long filledNanos;
    private volatile long restsUntilNanos;

    /**
     * The plan under which permits are given back once the stock is closed: a refund under the old plan would read later charges as
     * charges under the old plan.
     */
    private volatile @Nullable Plan after;

    /** A grant that no request has used yet, and when it expires. */
    private record Permit(Decision.Allowed grant, long untilNanos) {

        boolean isOld(long nowNanos) {
            return nowNanos - untilNanos >= 0;
        }
    }

    /**
     * What all stocks share.
     *
     * @param back the lane that refunds take
     * @param lastsNanos the lifetime of a permit
     * @param stocks the stocks that are not yet removed
     */
    record Keeper(
            Backend backend,
            Lane back,
            LongSupplier nanos,
            Ahead.Alarm alarm,
            long lastsNanos,
            ConcurrentHashMap<Key, PrefetchedPermits> stocks) {}

    /** Creates an empty stock for a key that has {@code remaining} permits left. */
    PrefetchedPermits(Key key, Plan plan, long remaining, Keeper keeper, long nowNanos) {
        this.key = key;
        this.plan = plan;
        this.remaining = remaining;
        this.keeper = keeper;
        this.filledNanos = nowNanos - keeper.lastsNanos;
        this.restsUntilNanos = nowNanos;
    }

    static boolean isWorthwhile(long remaining) {
        return remaining / SHARE >= LEAST;
    }

    /** A permit that has not expired; {@code null} if there is none. A request under another plan closes the stock. */
    Decision.@Nullable Allowed take(Plan asked, long nowNanos) {
        if (after != null) {
            return null;
        }
        if (!asked.equals(plan)) {
            close(asked);
            return null;
        }
        Permit first = next();
        if (first != null && first.isOld(nowNanos)) {
            first = nextAfter(first, nowNanos);
        }
        if (first == null) {
            missed = true;
        }
        fill(nowNanos);
        return first == null ? null : first.grant;
    }

    /** The next permit that has not expired; {@code old} and the expired ones in between are given back. */
    private @Nullable Permit nextAfter(Permit old, long nowNanos) {
        List<Decision.Allowed> unused = new ArrayList<>();
        Permit first = old;
        while (first != null && first.isOld(nowNanos)) {
            unused.add(first.grant);
            first = next();
        }
        giveBack(unused);
        return first;
    }

    private @Nullable Permit next() {
        Permit next = permits.poll();
        if (next != null) {
            level.decrementAndGet();
        }
        return next;
    }

    /** Notes how much remains after a request that Redis answered. */
    void hear(Plan asked, @Nullable Decision decision) {
        if (decision != null && asked.equals(plan)) {
            remaining = decision.remaining();
        }
    }

    /** Asks Redis for more permits if half of them are used. */
    void fill(long nowNanos) {
        int cap = (int) Math.min(MOST, remaining / SHARE);
        int wanted = Math.min(target.get(), cap);
        int now = level.get();
        if (now > wanted / 2 || cap < LEAST || after != null || nowNanos - restsUntilNanos < 0) {
            return;
        }
        boolean grows = missed || nowNanos - filledNanos < keeper.lastsNanos / FILLINGS;
        int most = Math.min(cap, grows ? 2 * wanted : wanted);
        if (!level.compareAndSet(now, most)) {
            return;
        }
        target.set(Math.max(LEAST, most));
        missed = false;
        filledNanos = nowNanos;
        for (int left = most - now; left > 0; left -= Coalescer.MOST) {
            ask(Math.min(left, Coalescer.MOST), nowNanos);
        }
    }

    private void ask(int count, long sentNanos) {
        CompletableFuture<List<Decision>> answer;
        try {
            answer = keeper.backend.run(key, plan, Collections.nCopies(count, Operation.ONE));
        } catch (RuntimeException | Error e) {
            answer = CompletableFuture.failedFuture(e);
        }
        answer.whenComplete(
                (decisions, failure) -> landed(count, decisions == null ? List.of() : decisions, sentNanos));
    }

    private void landed(int count, List<Decision> decisions, long sentNanos) {
        int granted = 0;
        long untilNanos = 0;
        for (Decision each : decisions) {
            if (each instanceof Decision.Allowed grant) {
                untilNanos = granted == 0 ? sentNanos + goodNanos(grant) : untilNanos;
                permits.add(new Permit(grant, untilNanos));
                granted++;
            }
            remaining = each.remaining();
        }
        level.addAndGet(granted - count);
        long now = keeper.nanos.getAsLong();
        if (granted < count) {
            rest(now, REST);
        } else if (now - sentNanos >= keeper.lastsNanos) {
            rest(now, 1);
        }
        giveBackOld(now);
        watch(now);
    }

    /**
     * The lifetime of a permit. It ends with a fixed window, since no permit of one window may be used in the next. It counts from
     * when the call was sent, before the charge, so a permit expires early rather than late.
     */
    private long goodNanos(Decision.Allowed grant) {
        long good = keeper.lastsNanos;
        for (Standing each : grant.limits()) {
            if (each.limit().algorithm().equals("fixed-window")) {
                good = Math.min(good, each.resetAfterMicros() * 1_000);
            }
        }
        return good;
    }

    private void rest(long nowNanos, int times) {
        restsUntilNanos = nowNanos + times * keeper.lastsNanos;
    }

    /** Sets the alarm, if none is set, for when the first permit expires; if there is no permit, for one lifetime from now. */
    private void watch(long nowNanos) {
        if (watched.compareAndSet(false, true)) {
            Permit first = permits.peek();
            long left = first == null ? keeper.lastsNanos : first.untilNanos - nowNanos;
            keeper.alarm.after(Math.max(1, Math.min(left, keeper.lastsNanos)), this::sweep);
        }
    }

    private void sweep() {
        watched.set(false);
        long now = keeper.nanos.getAsLong();
        int unused = giveBackOld(now);
        target.updateAndGet(wanted -> Math.max(LEAST, wanted - unused));
        if (level.get() > 0 || now - restsUntilNanos < 0) {
            watch(now);
        } else {
            after = after == null ? plan : after;
            keeper.stocks.remove(key, this);
            drain();
        }
    }

    /** Stops handing out permits and gives all of them back, under the plan in force. The future completes when Redis has them. */
    CompletableFuture<Void> close(Plan inForce) {
        after = inForce;
        long now = keeper.nanos.getAsLong();
        rest(now, REST);
        watch(now);
        return drain();
    }

    private int giveBackOld(long nowNanos) {
        List<Decision.Allowed> old = new ArrayList<>(0);
        Permit first = permits.peek();
        while (first != null && first.isOld(nowNanos)) {
            if (permits.remove(first)) {
                level.decrementAndGet();
                old.add(first.grant);
            }
            first = permits.peek();
        }
        giveBack(old);
        return old.size();
    }

    private CompletableFuture<Void> drain() {
        List<Decision.Allowed> unused = new ArrayList<>();
        for (Permit each = next(); each != null; each = next()) {
            unused.add(each.grant);
        }
        return giveBack(unused);
    }

    private CompletableFuture<Void> giveBack(List<Decision.Allowed> grants) {
        Plan inForce = after;
        return CompletableFuture.allOf(grants.stream()
                .map(grant -> giveBack(grant, inForce == null ? plan : inForce))
                .toArray(CompletableFuture[]::new));
    }

    private CompletableFuture<?> giveBack(Decision.Allowed grant, Plan inForce) {
        CompletableFuture<?> answer;
        try {
            answer = keeper.back.apply(key, inForce, new Operation.Refund(grant));
        } catch (RuntimeException | Error e) {
            answer = CompletableFuture.failedFuture(e);
        }
        return answer.handle((done, failure) -> {
            if (failure != null) {
                LOG.log(System.Logger.Level.DEBUG, "a permit that nobody came for was not given back", failure);
            }
            return done;
        });
    }
}
