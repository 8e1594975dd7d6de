package io.headgate;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The limiter's answer. Running out of permits is an answer, never an exception. */
public sealed interface Decision {

    /** Whether the request may go ahead. */
    default boolean allowed() {
        return this instanceof Allowed;
    }

    /** The limit that decided: on a grant the one with the least left, on a denial the one that makes it wait longest. */
    Limit limit();

    /** The largest cost that would be admitted now. */
    long remaining();

    /** How long until the whole budget is there again if nobody asks. */
    Duration resetAfter();

    /** How each limit of the plan stood, in the plan's order. */
    List<Standing> limits();

    /**
     * Whether it was made without the store, as a {@link FailurePolicy} said: then its numbers are those of this process at
     * best, and no client should be told of them.
     */
    default boolean degraded() {
        return false;
    }

    /** This decision, marked as made without the store. For whoever stands in for one. */
    Decision asDegraded();

    /**
     * Go ahead. The decision is also the receipt of what it charged: {@link RateLimiter#refund} takes exactly that back,
     * once.
     */
    abstract sealed class Allowed implements Decision
            permits DegradedAllowed, DetailedAllowed, JudgedAllowed, PackedAllowed, PlainAllowed {

        private static final VarHandle COST;

        static {
            try {
                COST = MethodHandles.lookup().findVarHandle(Allowed.class, "cost", int.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private final Limit limit;
        private final String subject;
        private final @Nullable Object stamp;
        // No capacity exceeds Limit.MOST, so neither do these: two ints, and a packed decision fits in 48 bytes.
        private final int remaining;

        @SuppressWarnings("FieldMayBeFinal") // set to 0 by the one refund
        private volatile int cost;

        Allowed(Limit limit, String subject, long cost, long remaining, @Nullable Object stamp) {
            this.limit = limit;
            this.subject = subject;
            this.remaining = Math.toIntExact(remaining);
            this.stamp = stamp;
            COST.set(this, stamp == null ? 0 : Math.toIntExact(cost)); // plain: published with the decision itself
        }

        /**
         * A grant under a plan of one limit, without delay. For stores.
         *
         * @param moreAfterMicros as {@link Standing#moreAfterMicros} has it
         * @param stamp what the store needs to take this charge back; {@code null} if nothing was charged
         */
        public static Allowed of(
                Limit limit,
                String subject,
                long cost,
                long remaining,
                long resetAfterMicros,
                long moreAfterMicros,
                @Nullable Object stamp) {
            return new PlainAllowed(limit, subject, cost, remaining, resetAfterMicros, moreAfterMicros, stamp);
        }

        /**
         * A grant, now, under a plan of one limit whose state is packed: the word right after the charge belongs to the stamp. For
         * stores.
         */
        public static Allowed of(
                Limit limit,
                String subject,
                long cost,
                long remaining,
                Packing.Holder stamp,
                long stampWord,
                long nowMicros) {
            return new PackedAllowed(limit, subject, cost, remaining, stamp, stampWord, nowMicros);
        }

        /** A grant under several limits, or of a slot ahead of now. For stores. */
        public static Allowed of(
                Standing deciding,
                List<Standing> limits,
                String subject,
                long cost,
                long resetAfterMicros,
                long delayMicros,
                @Nullable Object stamp) {
            return new DetailedAllowed(deciding, limits, subject, cost, resetAfterMicros, delayMicros, stamp);
        }

        @Override
        public Limit limit() {
            return limit;
        }

        @Override
        public Allowed asDegraded() {
            return new DegradedAllowed(this);
        }

        /** Who was charged. */
        public String subject() {
            return subject;
        }

        @Override
        public long remaining() {
            return remaining;
        }

        @Override
        public Duration resetAfter() {
            return Standing.duration(resetAfterMicros());
        }

        abstract long resetAfterMicros();

        /** How long to hold back before going ahead; zero unless a slot ahead of now was reserved. */
        public Duration delay() {
            return Duration.ZERO;
        }

        /** The permits a refund would take back now: the cost, or 0 if there was none or it has been claimed. */
        public long refundable() {
            return cost;
        }

        /** Claims the refund and returns the permits to take back; every later call returns 0. For stores. */
        public long claimRefund() {
            return (int) COST.getAndSet(this, 0);
        }

        /** What the store noted about this charge. For stores. */
        public @Nullable Object stamp() {
            return stamp;
        }

        /** The number that belongs to the stamp. For stores. */
        public long stampWord() {
            return 0;
        }

        @Override
        public String toString() {
            return "Allowed[remaining=" + remaining + ", resetAfter=" + resetAfter()
                    + (delay().isZero() ? "" : ", delay=" + delay()) + (degraded() ? ", degraded" : "") + ", limit="
                    + limit + "]";
        }
    }

    /**
     * Not now. Asking again after exactly {@link #retryAfter}, alone, is granted; a microsecond earlier is not. Nothing
     * was spent. Where a store repeats what it remembers of a smaller cost, the wait is a lower bound.
     *
     * @param limits how each limit stood; empty stands for a plan of this one limit
     */
    record Denied(
            Limit limit,
            long remaining,
            long retryAfterMicros,
            long resetAfterMicros,
            List<Standing> limits,
            boolean degraded)
            implements Decision {

        public Denied {
            limits = List.copyOf(limits);
        }

        public Denied(
                Limit limit, long remaining, long retryAfterMicros, long resetAfterMicros, List<Standing> limits) {
            this(limit, remaining, retryAfterMicros, resetAfterMicros, limits, false);
        }

        @Override
        public Denied asDegraded() {
            return new Denied(limit, remaining, retryAfterMicros, resetAfterMicros, limits, true);
        }

        public Duration retryAfter() {
            return Standing.duration(retryAfterMicros);
        }

        @Override
        public Duration resetAfter() {
            return Standing.duration(resetAfterMicros);
        }

        @Override
        public List<Standing> limits() {
            return limits.isEmpty()
                    ? List.of(new Standing(limit, remaining, retryAfterMicros, resetAfterMicros, retryAfterMicros))
                    : limits;
        }
    }

    /**
     * Not ever: the cost exceeds what the limit can hold, or the limit is 0. Nothing was spent and waiting does not help.
     *
     * @param limits how each limit stood
     */
    record Impossible(Limit limit, long remaining, long resetAfterMicros, List<Standing> limits, boolean degraded)
            implements Decision {

        public Impossible {
            limits = List.copyOf(limits);
        }

        public Impossible(Limit limit, long remaining, long resetAfterMicros, List<Standing> limits) {
            this(limit, remaining, resetAfterMicros, limits, false);
        }

        @Override
        public Impossible asDegraded() {
            return new Impossible(limit, remaining, resetAfterMicros, limits, true);
        }

        @Override
        public Duration resetAfter() {
            return Standing.duration(resetAfterMicros);
        }
    }

    /**
     * Nobody knows: the store failed, and the rule says to refuse then. Nothing is known of any budget.
     *
     * @param limit the first limit of the plan that could not be asked
     * @param retryAfter when asking again is worth a try
     * @param cause what the store said
     */
    record Unavailable(Limit limit, Duration retryAfter, StoreException cause) implements Decision {

        @Override
        public boolean degraded() {
            return true;
        }

        @Override
        public Unavailable asDegraded() {
            return this;
        }

        @Override
        public long remaining() {
            return 0;
        }

        @Override
        public Duration resetAfter() {
            return retryAfter;
        }

        @Override
        public List<Standing> limits() {
            return List.of();
        }
    }
}
