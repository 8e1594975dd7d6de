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
 * <p>It is filled again when half of it is gone, so that more are there before the last is. How many it holds follows what is asked
 * for: twice as many when somebody came in vain or the last filling was just before, fewer by those that nobody came for. But with what
 * is on its way it holds no more than an eighth of what remained when it last heard: the end of a budget is left to whoever asks.
 *
 * <p>Every permit that arrives is used once or given back. When Redis refuses, fails or answers too late, the stock rests: it hands out what it
 * has and asks for no more. Once it is closed it hands out nothing, and what
 * is still on its way is given back when it is good no more. It is forgotten when nothing is
 * left and it has rested; until then nobody begins another for its key.
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

    /** How long it rests, in times that a permit is good for. */
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

    private volatile long remaining;
    private volatile boolean missed;
    private volatile long filledNanos;
    private volatile long restsUntilNanos;

    /** Under which permits are given back once it is closed: what was charged since must not be read as under another. */
    private volatile @Nullable Plan after;

    /** A grant that nobody has asked for yet, and until when it is good. */
    private record Permit(Decision.Allowed grant, long untilNanos) {

        boolean isOld(long nowNanos) {
            return nowNanos - untilNanos >= 0;
        }
    }

    /**
     * What all stocks share.
     *
     * @param back the way of what is given back
     * @param lastsNanos how long a permit is good for
     * @param stocks where a stock is until it is forgotten
     */
    record Keeper(
            Backend backend,
            Lane back,
            LongSupplier nanos,
            Ahead.Alarm alarm,
            long lastsNanos,
            ConcurrentHashMap<Key, Stock> stocks) {}

    /** An empty one, of a key of which so much remains. */
    Stock(Key key, Plan plan, long remaining, Keeper keeper, long nowNanos) {
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

    /** A permit that is still good; {@code null} if there is none. Another plan closes it. */
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

    /** The next that is still good; that one and those in between are given back. */
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

    /** Takes note of what somebody was answered who went to Redis. */
    void hear(Plan asked, @Nullable Decision decision) {
        if (decision != null && asked.equals(plan)) {
            remaining = decision.remaining();
        }
    }

    /** Asks for more if half is gone. */
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

    /** No permit of an aligned window is used in the next; it was charged after its call was sent, so that this is early. */
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

    /** Sets the alarm, if none is set: for when the first is good no more, or else a while from now. */
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

    /** Hands out nothing any more, and gives everything back, under the plan that is in force; done when Redis has it. */
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
