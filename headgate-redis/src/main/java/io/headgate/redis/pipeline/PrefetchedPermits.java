package io.headgate.redis.pipeline;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Ledger;
import io.headgate.Operation;
import io.headgate.Standing;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The {@linkplain Prefetching prefetched} permits of one key, oldest first.
 *
 * <p>More are taken when half of them are used, so that new permits arrive before the last one is gone. Their number follows the
 * demand: it doubles when a request found no permit or the last filling was only a moment ago, and it shrinks by the number of permits
 * that expired unused. Together with the permits on their way there are at most an eighth of what remained according to the last
 * decision: the end of a budget is left to requests that ask Redis themselves.
 *
 * <p>Every permit that arrives is used once or given back. When Redis denies, fails or answers too late, there is a pause: the permits
 * that are there are handed out, and no more are asked for. Once closed, nothing is handed out, and permits still on their way are
 * given back when they expire. All of this is removed once no permit is left and the pause is over; until then nothing else is
 * prefetched for the key.
 */
final class PrefetchedPermits {

    private static final System.Logger LOG = System.getLogger(PrefetchedPermits.class.getName());

    /** How many permits are prefetched at first, and at least: fewer are not worth it. */
    static final int LEAST = 8;

    static final int MOST = 1024;

    /** At most one in this many of the permits that remain is prefetched. */
    static final int SHARE = 8;

    /** More permits are prefetched when they are filled up more often than this within the lifetime of one. */
    private static final int FILLINGS = 4;

    /** How long a pause is, in lifetimes of a permit. */
    static final int PAUSE = 10;

    private final Prefetching prefetching;
    private final Key key;
    private final PrefetchingLedger ledger;
    private final ConcurrentLinkedQueue<Permit> permits = new ConcurrentLinkedQueue<>();

    /** How many permits are here or on their way. */
    private final AtomicInteger level = new AtomicInteger();

    private final AtomicInteger target = new AtomicInteger(LEAST);

    /** Whether an alarm is set that gives expired permits back. */
    private final AtomicBoolean watched = new AtomicBoolean();

    private volatile long remaining;
    private volatile boolean missed;
    private volatile long filledNanos;
    private volatile long pausesUntilNanos;

    /**
     * The ledger to which permits are given back once this is closed: a refund under the old plan would read later charges as charges
     * under the old plan.
     */
    private volatile @Nullable PrefetchingLedger inForce;

    /** A grant that no request has used yet, and when it expires. */
    private record Permit(Decision.Allowed grant, long untilNanos) {

        boolean isOld(long nowNanos) {
            return nowNanos - untilNanos >= 0;
        }
    }

    /** No permits yet, for a key that has {@code remaining} of them left. */
    PrefetchedPermits(Prefetching prefetching, Key key, PrefetchingLedger ledger, long remaining, long nowNanos) {
        this.prefetching = prefetching;
        this.key = key;
        this.ledger = ledger;
        this.remaining = remaining;
        this.filledNanos = nowNanos - prefetching.lifetimeNanos;
        this.pausesUntilNanos = nowNanos;
    }

    static boolean isWorthwhile(long remaining) {
        return remaining / SHARE >= LEAST;
    }

    /** A permit that has not expired; {@code null} if there is none. A request under another plan closes this. */
    Decision.@Nullable Allowed take(PrefetchingLedger asked, long nowNanos) {
        if (inForce != null) {
            return null;
        }
        if (!asked.calls.hasPlanOf(ledger.calls)) {
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
    void noteRemaining(PrefetchingLedger asked, @Nullable Decision decision) {
        if (decision != null && asked.calls.hasPlanOf(ledger.calls)) {
            remaining = decision.remaining();
        }
    }

    /** Asks Redis for more permits if half of them are used. */
    void fill(long nowNanos) {
        int cap = (int) Math.min(MOST, remaining / SHARE);
        int wanted = Math.min(target.get(), cap);
        int now = level.get();
        if (now > wanted / 2 || cap < LEAST || inForce != null || nowNanos - pausesUntilNanos < 0) {
            return;
        }
        boolean grows = missed || nowNanos - filledNanos < prefetching.lifetimeNanos / FILLINGS;
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
            answer = ledger.calls.call().run(key, Collections.nCopies(count, Operation.ONE), sentNanos);
        } catch (RuntimeException | Error e) {
            answer = CompletableFuture.failedFuture(e);
        }
        answer.whenComplete(
                (decisions, failure) -> answered(count, decisions == null ? List.of() : decisions, sentNanos));
    }

    private void answered(int count, List<Decision> decisions, long sentNanos) {
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
        long now = prefetching.nanos.getAsLong();
        if (granted < count) {
            pause(now, PAUSE);
        } else if (now - sentNanos >= prefetching.lifetimeNanos) {
            pause(now, 1);
        }
        giveBackOld(now);
        watch(now);
    }

    /**
     * The lifetime of a permit. It ends with a fixed window, since no permit of one window may be used in the next. It counts from
     * when the call was sent, before the charge, so a permit expires early rather than late.
     */
    private long goodNanos(Decision.Allowed grant) {
        long good = prefetching.lifetimeNanos;
        for (Standing each : grant.standings()) {
            if (each.limit().algorithm().equals("fixed-window")) {
                good = Math.min(good, each.resetAfterMicros() * 1_000);
            }
        }
        return good;
    }

    private void pause(long nowNanos, int times) {
        pausesUntilNanos = nowNanos + times * prefetching.lifetimeNanos;
    }

    /** Sets the alarm, if none is set, for when the first permit expires; if there is no permit, for one lifetime from now. */
    private void watch(long nowNanos) {
        if (watched.compareAndSet(false, true)) {
            Permit first = permits.peek();
            long left = first == null ? prefetching.lifetimeNanos : first.untilNanos - nowNanos;
            prefetching.timer.after(Math.max(1, Math.min(left, prefetching.lifetimeNanos)), this::sweep);
        }
    }

    private void sweep() {
        watched.set(false);
        long now = prefetching.nanos.getAsLong();
        int unused = giveBackOld(now);
        target.updateAndGet(wanted -> Math.max(LEAST, wanted - unused));
        if (level.get() > 0 || now - pausesUntilNanos < 0) {
            watch(now);
        } else {
            inForce = inForce == null ? ledger : inForce;
            prefetching.end(key, this);
            drain();
        }
    }

    /** Stops handing out permits and gives all of them back. The future completes when Redis has them. */
    CompletableFuture<Void> close() {
        return close(ledger);
    }

    /** As {@link #close()}, under the plan in force. */
    CompletableFuture<Void> close(PrefetchingLedger inForce) {
        this.inForce = inForce;
        long now = prefetching.nanos.getAsLong();
        pause(now, PAUSE);
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
        PrefetchingLedger closedBy = inForce;
        Ledger back = (closedBy == null ? ledger : closedBy).next;
        return CompletableFuture.allOf(
                grants.stream().map(grant -> giveBack(grant, back)).toArray(CompletableFuture[]::new));
    }

    private CompletableFuture<?> giveBack(Decision.Allowed grant, Ledger back) {
        CompletableFuture<?> answer;
        try {
            answer = back.applyAsync(key.subject(), new Operation.Refund(grant));
        } catch (RuntimeException | Error e) {
            answer = CompletableFuture.failedFuture(e);
        }
        return answer.handle((done, failure) -> {
            if (failure != null) {
                LOG.log(
                        System.Logger.Level.DEBUG,
                        "a prefetched permit that no request used was not given back",
                        failure);
            }
            return done;
        });
    }
}
