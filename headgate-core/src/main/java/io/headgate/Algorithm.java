package io.headgate;

/**
 * How a limit shares out its permits over time: the interface to implement for a custom algorithm.
 *
 * <p>Every method is a pure function of its arguments. Time is an argument, in microseconds since the epoch; numbers
 * are integers, and rounding is to the caller's disadvantage. A store first <em>judges</em> every limit of a plan with
 * {@link #waitMicros} and only then <em>commits</em> with {@link #take}, so a denial has nothing to undo.
 *
 * <p>States are immutable and self-describing. A state may have been written under other numbers than those of the current
 * limit, or at a time that is now in the future because a clock stepped back or another thread was faster. {@link #rebase} is
 * called first and corrects such a state without losing what was spent, so the other methods need not handle it.
 * {@code AlgorithmContract} in the testkit checks all of this.
 *
 * @param <S> the state of one limit for one subject
 */
public interface Algorithm<S> {

    /** The id by which limits refer to the algorithm, such as {@code token-bucket}. */
    String id();

    /**
     * The state of a subject that has spent nothing. Also called when a plan is bound, at an arbitrary time, to learn whether the algorithm
     * can apply the limit.
     *
     * @throws IllegalArgumentException saying what is allowed, if it cannot
     */
    S fresh(Limit limit, long nowMicros);

    /**
     * How long until the cost is allowed if nobody else asks: 0 if it is allowed now. The wait is exact: after it the cost is
     * allowed, a microsecond earlier it is not. The cost is between 1 and {@link Limit#burst}; waits beyond 2^52 microseconds (142
     * years) may be cut to that value.
     */
    long waitMicros(S state, Limit limit, long cost, long nowMicros);

    /**
     * The state after the cost is taken now. Called when the wait is 0.
     */
    S take(S state, Limit limit, long cost, long nowMicros);

    /**
     * The state without one earlier charge: removes as much of that charge as is still in the state and no more, so that permits
     * given back are never granted twice. By default nothing is given back.
     *
     * @param charged the state right after the charge
     */
    default S refund(S state, S charged, Limit limit, long cost, long nowMicros) {
        return state;
    }

    /**
     * The state in a form that this limit could have written by now: no stored time is in the future, no window has another width,
     * and everything spent is still spent, rounded up. This is the only change that a denial may make. Returns the same instance if
     * there is nothing to correct.
     */
    default S rebase(S state, Limit limit, long nowMicros) {
        return state;
    }

    /** The state as numbers, for stores outside this process. */
    long[] encode(S state);

    /**
     * The state that {@link #encode} wrote as these numbers.
     *
     * @throws IllegalArgumentException if the numbers are not a state
     */
    S decode(long[] numbers);
}
