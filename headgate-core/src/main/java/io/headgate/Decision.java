package io.headgate;

import java.time.Duration;
import java.util.List;

/** The limiter's answer. Running out of permits is an answer, never an exception. */
public sealed interface Decision {

    /** Whether the request may go ahead. */
    default boolean allowed() {
        return false; // overridden: to find that an object does not implement an interface takes the JVM longer than
        // the judgement
    }

    /** The limit that decided: on a grant the one with the least left, on a denial the one with the longest wait. */
    Limit limit();

    /** The largest cost that would be allowed now. */
    long remaining();

    /** How long until the same request is allowed if nobody else asks: zero if it is allowed, {@link Standing#NEVER} if it never is. */
    Duration retryAfter();

    /** How long until the whole budget is available again if no further request comes. */
    Duration resetAfter();

    /** The standing of each limit of the plan at the moment of the decision, in the plan's order. */
    List<Standing> standings();

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
    non-sealed interface Allowed extends Decision {

        @Override
        default boolean allowed() {
            return true;
        }

        /** The subject that was charged. */
        String subject();

        /** How long to wait before going ahead; zero unless a future slot was reserved. */
        default Duration delay() {
            return Duration.ZERO;
        }

        /** The permits that a refund would take back now: the cost, or 0 if nothing was charged or the refund has been claimed. */
        long refundable();

        @Override
        default Duration retryAfter() {
            return Duration.ZERO;
        }

        @Override
        Allowed asDegraded();

        /** A grant in words, for implementations of {@code toString}: {@code Allowed[5/min: 3 remaining, full in 24s]}. */
        static String text(Allowed granted) {
            long reset = granted.resetAfter().toNanos() / 1_000;
            String delayed = granted.delay().isZero() ? "" : ", go ahead in " + Units.readable(granted.delay());
            return "Allowed[" + Standing.words(granted.limit(), granted.remaining(), 0, reset) + delayed
                    + (granted.degraded() ? ", degraded]" : "]");
        }
    }

    /**
     * Not now. A retry after exactly {@link #retryAfter} is granted if nobody else asks meanwhile; a microsecond earlier it is
     * denied. Nothing was spent. If a store repeats a remembered denial of a smaller cost, the wait is a lower bound.
     *
     * @param standings the standing of each limit; an empty list means a plan of this one limit
     */
    record Denied(
            Limit limit,
            long remaining,
            long retryAfterMicros,
            long resetAfterMicros,
            List<Standing> standings,
            boolean degraded)
            implements Decision {

        public Denied {
            standings = standings.isEmpty()
                    ? List.of()
                    : withoutRepetition(standings, standing(limit, remaining, retryAfterMicros, resetAfterMicros));
        }

        /** Under one limit the denial itself says how it stands: two denials are equal whether or not the standing was given. */
        private static List<Standing> withoutRepetition(List<Standing> standings, Standing own) {
            return standings.size() == 1 && standings.get(0).equals(own) ? List.of() : List.copyOf(standings);
        }

        private static Standing standing(Limit limit, long remaining, long retryAfterMicros, long resetAfterMicros) {
            return new Standing(limit, remaining, retryAfterMicros, resetAfterMicros, retryAfterMicros);
        }

        public Denied(
                Limit limit, long remaining, long retryAfterMicros, long resetAfterMicros, List<Standing> standings) {
            this(limit, remaining, retryAfterMicros, resetAfterMicros, standings, false);
        }

        @Override
        public Denied asDegraded() {
            return new Denied(limit, remaining, retryAfterMicros, resetAfterMicros, standings, true);
        }

        @Override
        public Duration retryAfter() {
            return Standing.duration(retryAfterMicros);
        }

        @Override
        public Duration resetAfter() {
            return Standing.duration(resetAfterMicros);
        }

        @Override
        public List<Standing> standings() {
            return standings.isEmpty()
                    ? List.of(standing(limit, remaining, retryAfterMicros, resetAfterMicros))
                    : standings;
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
     * @param standings the standing of each limit
     */
    record Impossible(Limit limit, long remaining, long resetAfterMicros, List<Standing> standings, boolean degraded)
            implements Decision {

        public Impossible {
            standings = List.copyOf(standings);
        }

        public Impossible(Limit limit, long remaining, long resetAfterMicros, List<Standing> standings) {
            this(limit, remaining, resetAfterMicros, standings, false);
        }

        @Override
        public Duration retryAfter() {
            return Standing.duration(Standing.NEVER);
        }

        @Override
        public Impossible asDegraded() {
            return new Impossible(limit, remaining, resetAfterMicros, standings, true);
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
        public List<Standing> standings() {
            return List.of();
        }

        @Override
        public String toString() {
            return "Unavailable[" + limit.written() + ": retry in " + Units.readable(retryAfter)
                    + ", the store failed: " + cause.getMessage() + "]";
        }
    }
}
