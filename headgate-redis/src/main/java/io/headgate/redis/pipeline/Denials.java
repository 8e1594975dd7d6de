package io.headgate.redis.pipeline;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Ledger;
import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.Standing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the {@linkplain RememberingLedger ledgers} of a store remember of denials, so that requests which are denied again and again
 * cost no calls.
 *
 * <p>Until {@code retryAfter} has passed, only a reset, a refund or another plan can change the answer. So a denial is repeated for
 * that long, but no longer than the cap, since those may come from another process. The time counts from when the call was
 * <em>sent</em>, before Redis decided: a repeated denial ends early rather than late, and never denies what Redis would allow. The
 * wait in the denial counts from when the answer was received, and is long enough. What remains is what remained at the time of the
 * original denial.
 *
 * <p>A larger cost is denied as well, for longer. Redis is asked about each of the first few costs of a key, so that each wait is
 * exact; their denials are forgotten when a smaller cost is granted. Beyond {@link #COSTS}, the denial of the next smaller cost is
 * repeated, whose wait is only a lower bound. An impossible cost is not remembered, and a request that can wait is never answered
 * from here.
 *
 * <p>The memory is a table of fixed size, with two places per hash: a denial that finds both taken replaces the one that ends first.
 * Forgetting is always safe. Every hash has an epoch, which a reset or refund increments when it is sent and again when it is done; a
 * denial is valid only in the epoch in which its call was sent. So no denial from before a reset or refund is repeated afterwards,
 * however late it arrives, and no lock is needed.
 */
public final class Denials {

    /** How many keys are remembered by default. */
    public static final int DEFAULT_ENTRIES = 16_384;

    /** How long a denial is remembered at most, by default. */
    public static final Duration DEFAULT_CAP = Duration.ofSeconds(1);

    /** How many different costs of one key are remembered. */
    static final int COSTS = 4;

    private static final int WAYS = 2;

    private final LongSupplier nanos;
    private final long capNanos;
    private final AtomicReferenceArray<@Nullable Entry> entries;
    private final AtomicIntegerArray epochs;

    /** @param nanos the monotonic clock */
    public Denials(LongSupplier nanos, Duration cap, int entries) {
        if (cap.isNegative() || entries < WAYS) {
            throw new IllegalArgumentException(
                    "denials need a cap of at least zero and " + WAYS + " entries, not " + cap + " and " + entries);
        }
        this.nanos = nanos;
        this.capNanos = cap.toNanos();
        int hashes = Integer.highestOneBit(Math.max(1, (entries - 1) / WAYS)) << 1;
        this.entries = new AtomicReferenceArray<>(hashes * WAYS);
        this.epochs = new AtomicIntegerArray(hashes);
    }

    /** A ledger that remembers the denials of another one. */
    Ledger over(String scope, Plan plan, Ledger next) {
        return new RememberingLedger(this, scope, plan, next);
    }

    /** The denial that holds for that cost, if there is one. What was denied under another plan is forgotten. */
    @Nullable
    Decision recall(Key key, Plan plan, long cost) {
        int hash = hash(key);
        Entry entry = find(hash, key);
        if (entry == null) {
            return null;
        }
        if (!entry.plan.equals(plan)) {
            forget(hash);
            return null;
        }
        return entry.answer(cost, epochs.get(hash), nanos.getAsLong());
    }

    /** When a call was sent: the time, and the epoch of its key. */
    record Sent(long nanos, int epoch) {}

    /** To be called just before a call for that key is sent. */
    Sent sent(Key key) {
        return new Sent(nanos.getAsLong(), epochs.get(hash(key)));
    }

    /** Remembers a denial, if it still holds. */
    void remember(Key key, Plan plan, long cost, Decision.Denied denied, Sent sent) {
        remember(hash(key), key, plan, new Denial(cost, denied, sent, nanos.getAsLong(), capNanos));
    }

    /** Forgets the denials of larger costs: they still hold, but their waits are longer now. */
    void granted(Key key) {
        int hash = hash(key);
        if (find(hash, key) != null) {
            forget(hash);
        }
    }

    /** Forgets all denials of that key, and those that are under way. */
    void forget(Key key) {
        forget(hash(key));
    }

    private void forget(int hash) {
        epochs.incrementAndGet(hash);
    }

    /** How many keys would be answered from here now. */
    int remembered() {
        long now = nanos.getAsLong();
        int count = 0;
        for (int place = 0; place < entries.length(); place++) {
            Entry entry = entries.get(place);
            count += entry != null && entry.left(epochs.get(place / WAYS), now) > 0 ? 1 : 0;
        }
        return count;
    }

    private void remember(int hash, Key key, Plan plan, Denial denial) {
        int epoch = epochs.get(hash);
        if (!denial.holds(epoch, denial.received)) {
            return;
        }
        int place = place(hash, key, denial.received);
        Entry present = entries.get(place);
        List<Denial> others =
                present != null && present.key.equals(key) && present.plan.equals(plan) ? present.denials : List.of();
        List<Denial> all = new ArrayList<>(COSTS + 1);
        all.add(denial);
        for (Denial each : others) {
            if (each.cost != denial.cost && each.holds(epoch, denial.received)) {
                all.add(each);
            }
        }
        all.sort(Comparator.comparingLong(each -> each.cost));
        List<Denial> kept = List.copyOf(all.subList(0, Math.min(COSTS, all.size())));
        entries.compareAndSet(place, present, new Entry(key, plan, capacity(plan), kept)); // if no other was faster
    }

    /** The place of the key; for a new key a free place, or else the one whose denial ends first. */
    private int place(int hash, Key key, long now) {
        int best = hash * WAYS;
        long bestLeft = Long.MAX_VALUE;
        for (int place = hash * WAYS; place < (hash + 1) * WAYS; place++) {
            Entry entry = entries.get(place);
            if (entry != null && entry.key.equals(key)) {
                return place;
            }
            long left = entry == null ? Long.MIN_VALUE : entry.left(epochs.get(hash), now);
            if (left < bestLeft) {
                best = place;
                bestLeft = left;
            }
        }
        return best;
    }

    private @Nullable Entry find(int hash, Key key) {
        for (int place = hash * WAYS; place < (hash + 1) * WAYS; place++) {
            Entry entry = entries.get(place);
            if (entry != null && entry.key.equals(key)) {
                return entry;
            }
        }
        return null;
    }

    private int hash(Key key) {
        int hash = key.hashCode() * 0x9E3779B9;
        return (hash ^ hash >>> 16) & epochs.length() - 1;
    }

    private static long capacity(Plan plan) {
        return plan.limits().stream().mapToLong(Limit::burst).min().orElseThrow();
    }

    /**
     * The remembered denials of a key.
     *
     * @param capacity the largest cost that is not impossible
     * @param denials in order of rising cost
     */
    private record Entry(Key key, Plan plan, long capacity, List<Denial> denials) {

        @Nullable
        Decision answer(long cost, int epoch, long now) {
            if (cost > capacity) {
                return null;
            }
            Denial closest = null;
            int holding = 0;
            for (Denial each : denials) {
                if (each.holds(epoch, now)) {
                    holding++;
                    closest = each.cost <= cost ? each : closest;
                }
            }
            return closest != null && (closest.cost == cost || holding == COSTS) ? closest.repeat(now) : null;
        }

        long left(int epoch, long now) {
            long left = 0;
            for (Denial each : denials) {
                left = each.epoch == epoch ? Math.max(left, each.sent + each.lasts - now) : left;
            }
            return left;
        }
    }

    /** One denial: when its call was sent and its answer received, and how long it holds after the call was sent. */
    private static final class Denial {

        final long cost;
        final int epoch;
        final long sent;
        final long received;
        final long lasts;

        private final Decision.Denied denied;

        /** Empty for a plan of one limit, which the denial itself describes. */
        private final List<Standing> standings;

        Denial(long cost, Decision.Denied denied, Sent sent, long received, long capNanos) {
            this.cost = cost;
            this.denied = denied;
            this.standings = denied.standings().size() == 1 ? List.of() : denied.standings();
            this.epoch = sent.epoch;
            this.sent = sent.nanos;
            this.received = received;
            // Redis may have decided at the end of a microsecond, but counts the wait from its beginning.
            this.lasts = Math.min((denied.retryAfterMicros() - 1) * 1_000 + 1, capNanos);
        }

        boolean holds(int currentEpoch, long now) {
            return epoch == currentEpoch && now - sent < lasts;
        }

        Decision repeat(long now) {
            long elapsed = (now - received) / 1_000;
            return new Decision.Denied(
                    denied.limit(),
                    denied.remaining(),
                    denied.retryAfterMicros() - elapsed,
                    Math.max(0, denied.resetAfterMicros() - elapsed),
                    standings.isEmpty() ? standings : standings(elapsed));
        }

        private List<Standing> standings(long elapsed) {
            List<Standing> later = new ArrayList<>(standings.size());
            for (Standing each : standings) {
                later.add(new Standing(
                        each.limit(),
                        each.remaining(),
                        Math.max(0, each.retryAfterMicros() - elapsed),
                        Math.max(0, each.resetAfterMicros() - elapsed),
                        each.moreAfterMicros() == 0 ? 0 : Math.max(1, each.moreAfterMicros() - elapsed)));
            }
            return later;
        }
    }
}
