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

    /** The limit that decided: on a grant the one with the least left, on a denial the one with the longest wait. */
    Limit limit();

    /** The largest cost that would be allowed now. */
    long remaining();

    /** How long until the whole budget is available again if no further request comes. */
    Duration resetAfter();

    /** The standing of each limit of the plan at the moment of the decision, in the plan's order. */
    List<Standing> limits();

    /**
     * Whether the decision was made without the store, according to a {@link FailurePolicy}. Its numbers then describe this process
     * at best and should not be sent to clients.
     */
    default boolean degraded() {
        return false;
    }

    /** This decision, marked as made without the store. For code that stands in for a failed store. */
    Decision asDegraded();

    /**
     * The request may go ahead. The decision is also the receipt of its charge: {@link RateLimiter#refund} takes back exactly that
     * charge, once.
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
        // No capacity exceeds Limit.MOST, so remaining and cost fit in ints, and a packed decision in 48 bytes.
        private final int remaining;

        @SuppressWarnings("FieldMayBeFinal") // claimRefund sets it to 0 through COST
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
         * @param moreAfterMicros see {@link Standing#moreAfterMicros}
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
         * A grant without delay under a plan of one limit whose state is packed. For stores.
         *
         * @param stampWord the packed state right after the charge, which belongs to the stamp
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

        /** A grant under several limits, or of a reserved future slot. For stores. */
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

        /** The subject that was charged. */
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

        /** How long to wait before going ahead; zero unless a future slot was reserved. */
        public Duration delay() {
            return Duration.ZERO;
        }

        /** The permits that a refund would take back now: the cost, or 0 if nothing was charged or the refund has been claimed. */
        public long refundable() {
            return cost;
        }

        /** Claims the refund and returns the permits to take back; every later call returns 0. For stores. */
        public long claimRefund() {
            return (int) COST.getAndSet(this, 0);
        }

        /** What the store needs to take this charge back. For stores. */
        public @Nullable Object stamp() {
            return stamp;
        }

        /** The packed state that belongs to the stamp; 0 if there is none. For stores. */
        public long stampWord() {
            return 0;
        }

        @Override
        public String toString() {
            String delayed = delay().isZero() ? "" : ", go ahead in " + Units.readable(delay());
            return "Allowed[" + Standing.words(limit, remaining, 0, resetAfterMicros()) + delayed
                    + (degraded() ? ", degraded]" : "]");
        }
    }

    /**
     * Not now. A retry after exactly {@link #retryAfter} is granted if nobody else asks meanwhile; a microsecond earlier it is
     * denied. Nothing was spent. If a store repeats a remembered denial of a smaller cost, the wait is a lower bound.
     *
     * @param limits the standing of each limit; an empty list means a plan of this one limit
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

        @Override
        public String toString() {
            return "Denied[" + Standing.words(limit, remaining, retryAfterMicros, resetAfterMicros)
                    + (degraded ? ", degraded]" : "]");
        }
    }

    /**
     * Never: the cost exceeds the capacity of the limit, or the limit is 0. Nothing was spent, and waiting does not help.
     *
     * @param limits the standing of each limit
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

        @Override
        public String toString() {
            String why = limit.permits() == 0 ? "the limit is 0" : "the cost is more than " + limit.burst();
            return "Impossible[" + limit.written() + ": " + why + (degraded ? ", degraded]" : "]");
        }
    }

    /**
     * Unknown: the store failed, and the failure policy is {@link FailurePolicy#CLOSED}. Nothing is known about any budget.
     *
     * @param limit the first limit of the plan
     * @param retryAfter when a retry is worthwhile
     * @param cause the failure of the store
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

        @Override
        public String toString() {
            return "Unavailable[" + limit.written() + ": retry in " + Units.readable(retryAfter)
                    + ", the store failed: " + cause.getMessage() + "]";
        }
    }
}
