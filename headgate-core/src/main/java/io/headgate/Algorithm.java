package io.headgate;

import org.jspecify.annotations.Nullable;

/**
 * How a limit shares out its permits over time: the one interface to implement for an algorithm of your own.
 *
 * <p>Everything here is a pure function of its arguments. Time is an argument, in microseconds since the epoch; numbers
 * are integers, and rounding goes against the caller. A store first <em>judges</em> every limit of a plan with
 * {@link #waitMicros} and only then <em>commits</em> with {@link #take}, so a refusal never has anything to undo.
 *
 * <p>States are immutable and describe themselves. One may have been written under other numbers than those of the limit it
 * meets, or at a time that now lies ahead because a clock stepped back or another thread was faster: {@link #rebase} is called
 * first and mends it, keeping what was spent, so the other methods need not care. {@code AlgorithmContract} in the testkit checks all of it.
 *
 * @param <S> the state of one limit for one subject
 */
public interface Algorithm<S> {

    /** What limits call it by, such as {@code token-bucket}. */
    String id();

    /**
     * Refuses a limit this algorithm cannot keep.
     *
     * @throws IllegalArgumentException saying what is allowed
     */
    default void check(Limit limit) {}

    /** The state of somebody who has spent nothing. */
    S fresh(Limit limit, long nowMicros);

    /**
     * How long until the cost is admitted if nobody else asks: 0 if it is now. Exact: after that long it is admitted, a
     * microsecond earlier it is not. The cost is between 1 and {@link Limit#burst}; waits beyond 2^52
     * microseconds, 142 years, may be cut to that.
     */
    long waitMicros(S state, Limit limit, long cost, long nowMicros);

    /**
     * The state after the cost is taken now. Called when the wait is 0, or, if the algorithm {@linkplain #reserves
     * reserves}, for a slot that lies {@link #waitMicros} ahead.
     */
    S take(S state, Limit limit, long cost, long nowMicros);

    /** The largest cost that would be admitted now, at most {@link Limit#burst}. */
    long remaining(S state, Limit limit, long nowMicros);

    /** How long until more remains than does, if nobody asks: 0 if nothing is missing. */
    default long moreMicros(S state, Limit limit, long remaining, long nowMicros) {
        return remaining >= limit.burst() ? 0 : waitMicros(state, limit, remaining + 1, nowMicros);
    }

    /** When the budget is full again if nobody asks: from then on forgetting the state is invisible. Saturates. */
    long fullAtMicros(S state, Limit limit);

    /**
     * The state without one earlier charge: as much of it as is still in the state and no more, so that what is given back
     * is never admitted twice. By default nothing is.
     *
     * @param charged the state right after the charge
     */
    default S refund(S state, S charged, Limit limit, long cost, long nowMicros) {
        return state;
    }

    /**
     * The state as the limit could have written it by now: no stored time ahead, no window of another width, and everything
     * spent still spent, rounded up. The only change a denial may make. The same instance when there is nothing to mend.
     */
    default S rebase(S state, Limit limit, long nowMicros) {
        return state;
    }

    /** Whether {@link #take} can reserve the slot ahead of now that this cost would have to wait for. */
    default boolean reserves(S state, Limit limit, long cost) {
        return false;
    }

    /**
     * Whether a grant may keep its state and ask it what it tells when somebody asks the grant, so that nothing is computed for nobody. Who
     * says so cannot fail then: there is no policy left to follow. Not heeded where states {@linkplain #sharesMemory share memory}.
     */
    default boolean tellsLater() {
        return false;
    }

    /**
     * Whether successive states share memory that {@link #take} and {@link #refund} write to. Only the latest state is then
     * valid, and a store in process runs the steps of a key one at a time.
     */
    default boolean sharesMemory() {
        return false;
    }

    /** This algorithm with its state under the given limit packed into one long; {@code null} if that cannot be. */
    default @Nullable Packing<S> packing(Limit limit) {
        return null;
    }

    /** The state as numbers, for stores that keep it elsewhere. */
    long[] encode(S state);

    /**
     * The state of those numbers.
     *
     * @throws IllegalArgumentException if no state has them
     */
    S decode(long[] numbers);
}
