package io.headgate.redis.pipeline;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Ledger;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.redis.pipeline.KeyDenials.Denial;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The memory of denials that the ledgers of a store share, so that requests which are denied again and again
 * cost no calls.
 *
 * <p>Until {@code retryAfter} has passed, only a reset, a refund or another plan can change the answer. So a denial is repeated for
 * that long, but no longer than the cap, since those may come from another process. The time counts from when the call was
 * <em>sent</em>, before Redis decided: a repeated denial ends early rather than late, and never denies what Redis would allow. The
 * wait in the denial counts from when the answer was received, and is long enough. What remains is what remained at the time of the
 * original denial.
 *
 * <p>A larger cost is denied as well, for longer. Redis is asked about each of the first few costs of a key, so that each wait is
 * exact; their denials are forgotten when a smaller cost is granted. Beyond {@link KeyDenials#COSTS}, the denial of the next smaller cost is
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

    private static final int WAYS = 2;

    private final LongSupplier nanos;
    private final long capNanos;
    private final AtomicReferenceArray<@Nullable KeyDenials> entries;
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

    /** A ledger that remembers the denials of the next one, whose futures callers get: so cancelling one reaches it. */
    public Ledger over(String scope, Plan plan, Ledger next) {
        return new RememberingLedger(scope, plan, next);
    }

    /** {@link #known} repeats a denial; {@link #applyAsync} makes the call, and remembers what it is told. */
    private final class RememberingLedger implements AsyncLedger {

        private final String scope;
        private final Plan plan;
        private final Ledger next;

        RememberingLedger(String scope, Plan plan, Ledger next) {
            this.scope = scope;
            this.plan = plan;
            this.next = next;
        }

        @Override
        public @Nullable Decision known(String subject, Operation operation) {
            return operation instanceof Operation.Take take && take.maxWaitMicros() == 0
                    ? recall(new Key(scope, subject), plan, take.cost())
                    : null;
        }

        @Override
        public boolean remembers() {
            return true;
        }

        @Override
        public CompletableFuture<Decision> applyAsync(String subject, Operation operation) {
            Key key = new Key(scope, subject);
            if (operation instanceof Operation.Take take) {
                return take(key, take);
            }
            if (operation instanceof Operation.Peek) {
                return next.applyAsync(subject, operation);
            }
            Denials.this.forget(key);
            return next.applyAsync(subject, operation).whenComplete((answer, failure) -> Denials.this.forget(key));
        }

        private CompletableFuture<Decision> take(Key key, Operation.Take take) {
            Sent sent = sent(key);
            CompletableFuture<Decision> answer = next.applyAsync(key.subject(), take);
            answer.whenComplete((decision, failure) -> {
                if (decision instanceof Decision.Allowed) {
                    granted(key);
                } else if (decision instanceof Decision.Denied denied) {
                    remember(key, plan, take.cost(), denied, sent);
                }
            });
            return answer;
        }
    }

    /** The denial that holds for that cost, if there is one. What was denied under another plan is forgotten. */
    @Nullable
    Decision recall(Key key, Plan plan, long cost) {
        int hash = hash(key);
        KeyDenials entry = find(hash, key);
        if (entry == null) {
            return null;
        }
        if (!entry.plan().equals(plan)) {
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
            KeyDenials entry = entries.get(place);
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
        KeyDenials present = entries.get(place);
        KeyDenials before =
                present != null && present.key().equals(key) && present.plan().equals(plan)
                        ? present
                        : KeyDenials.none(key, plan);
        entries.compareAndSet(place, present, before.with(denial, epoch)); // if no other was faster
    }

    /** The place of the key; for a new key a free place, or else the one whose denial ends first. */
    private int place(int hash, Key key, long now) {
        int best = hash * WAYS;
        long bestLeft = Long.MAX_VALUE;
        for (int place = hash * WAYS; place < (hash + 1) * WAYS; place++) {
            KeyDenials entry = entries.get(place);
            if (entry != null && entry.key().equals(key)) {
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

    private @Nullable KeyDenials find(int hash, Key key) {
        for (int place = hash * WAYS; place < (hash + 1) * WAYS; place++) {
            KeyDenials entry = entries.get(place);
            if (entry != null && entry.key().equals(key)) {
                return entry;
            }
        }
        return null;
    }

    private int hash(Key key) {
        int hash = key.hashCode() * 0x9E3779B9;
        return (hash ^ hash >>> 16) & epochs.length() - 1;
    }
}
