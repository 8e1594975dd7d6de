package io.headgate.engine;

import io.headgate.Decision;
import io.headgate.Limit;
import io.headgate.Standing;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A grant with what its store needs to take the charge back. There are several kinds, so that each is small and computes only on demand
 * what is rarely read.
 */
public abstract class Grant implements Decision.Allowed {

    private static final VarHandle COST;

    static {
        try {
            COST = MethodHandles.lookup().findVarHandle(Grant.class, "cost", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final String subject;
    private final @Nullable Object stamp;

    @SuppressWarnings("FieldMayBeFinal") // claimRefund sets it to 0 through COST
    private volatile int cost;

    Grant(String subject, long cost, @Nullable Object stamp) {
        this.subject = subject;
        this.stamp = stamp;
        COST.set(this, stamp == null ? 0 : Math.toIntExact(cost)); // plain: published with the decision itself
    }

    /**
     * A grant under a plan of one limit, without delay.
     *
     * @param moreAfterMicros see {@link Standing#moreAfterMicros}
     * @param stamp what the store needs to take this charge back; {@code null} if nothing was charged
     */
    public static Grant of(
            Limit limit,
            String subject,
            long cost,
            long remaining,
            long resetAfterMicros,
            long moreAfterMicros,
            @Nullable Object stamp) {
        Standing standing = new Standing(limit, remaining, 0, resetAfterMicros, moreAfterMicros);
        return new ComputedGrant(List.of(standing), subject, cost, 0, stamp);
    }

    /**
     * A grant without delay under a plan of one limit whose state is packed.
     *
     * @param holder what holds the packed state
     * @param word the packed state right after the charge
     */
    public static Grant ofPacked(
            BoundPlan boundPlan, String subject, long cost, long remaining, Object holder, long word, long nowMicros) {
        return new PackedGrant(boundPlan, subject, cost, remaining, holder, word, nowMicros);
    }

    /** The number that distinguishes the states in this holder of a packed state from those in others. */
    public static int born(Object holder) {
        return System.identityHashCode(holder);
    }

    /**
     * The grant that a caller kept as a receipt.
     *
     * @throws IllegalArgumentException if no store has made it
     */
    public static Grant madeByAStore(Decision.Allowed receipt) {
        if (receipt instanceof Grant grant) {
            return grant;
        }
        throw new IllegalArgumentException("not a receipt of a store: " + receipt);
    }

    /**
     * The grant that a caller kept as a receipt, for a store that keeps its states in this process.
     *
     * @throws IllegalArgumentException if a store of another kind has made it: nothing can be taken back here
     */
    public static Grant madeInProcess(Decision.Allowed receipt) {
        Grant grant = madeByAStore(receipt);
        if (grant.stamp() != null && grant.chargedUnder() == null) {
            throw new IllegalArgumentException("another store has made the receipt " + receipt + " for '"
                    + receipt.subject() + "': refund it with a limiter of the store that was charged");
        }
        return grant;
    }

    @Override
    public String subject() {
        return subject;
    }

    @Override
    public Grant asDegraded() {
        return new DegradedGrant(this);
    }

    @Override
    public Duration resetAfter() {
        return Standing.duration(resetAfterMicros());
    }

    abstract long resetAfterMicros();

    @Override
    public long refundable() {
        return cost;
    }

    /** Claims the refund and returns the permits to take back; every later call returns 0. */
    public long claimRefund() {
        return (int) COST.getAndSet(this, 0);
    }

    /** What the store needs to take this charge back; {@code null} if nothing was charged. */
    public @Nullable Object stamp() {
        return stamp;
    }

    /** The state right after the charge, if a store in this process made it. */
    public Object charged() {
        return Objects.requireNonNull(stamp);
    }

    /** The plan under which a store in this process made the charge; {@code null} if another store did. */
    @Nullable
    BoundPlan chargedUnder() {
        return null;
    }

    /** When a store in this process made the charge. */
    long chargedMicros() {
        return 0;
    }

    @Override
    public String toString() {
        return Decision.Allowed.text(this);
    }
}
