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
     * Rejects a limit that this algorithm cannot apply.
     *
     * @throws IllegalArgumentException saying what is allowed
     */
    default void check(Limit limit) {}

    /** The state of a subject that has spent nothing. */
    S fresh(Limit limit, long nowMicros);

    /**
     * How long until the cost is allowed if nobody else asks: 0 if it is allowed now. The wait is exact: after it the cost is
     * allowed, a microsecond earlier it is not. The cost is between 1 and {@link Limit#burst}; waits beyond 2^52 microseconds (142
     * years) may be cut to that value.
     */
    long waitMicros(S state, Limit limit, long cost, long nowMicros);

    /**
     * The state after the cost is taken now. Called when the wait is 0 or, if the algorithm {@linkplain #reserves reserves} slots,
     * for a slot that begins later.
     */
    S take(S state, Limit limit, long cost, long nowMicros);

    /** The largest cost that would be allowed now, at most {@link Limit#burst}. */
    long remaining(S state, Limit limit, long nowMicros);

    /** How long until more than {@code remaining} remains if nobody asks: 0 if the budget is full. */
    default long moreMicros(S state, Limit limit, long remaining, long nowMicros) {
        return remaining >= limit.burst() ? 0 : waitMicros(state, limit, remaining + 1, nowMicros);
    }

    /** When the budget is full again if nobody asks. Saturates. */
    long fullAtMicros(S state, Limit limit);

    /**
     * When forgetting the state has no visible effect any more, if nobody asks: as soon as the budget is full, unless the state still
     * knows something that counts under a limit it was under before, and that may come back. Saturates.
     */
    default long forgettableAtMicros(S state, Limit limit) {
        return fullAtMicros(state, limit);
    }

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

    /** Whether {@link #take} can reserve the future slot that this cost would have to wait for. */
    default boolean reserves(S state, Limit limit, long cost) {
        return false;
    }

    /**
     * How long until the slot begins that {@link #take} would reserve for this cost. It can be longer than {@link #waitMicros}: a cost
     * that is not reserved may fit in where others have left, once all who reserved slots have had theirs.
     */
    default long slotMicros(S state, Limit limit, long cost, long nowMicros) {
        return waitMicros(state, limit, cost, nowMicros);
    }

    /**
     * The state after the cost is taken for a slot that begins after the delay. The delay is longer than {@link #slotMicros} if
     * another limit of the plan has the longer one: what is taken must then not count as flowed off before it is used.
     */
    default S reserve(S state, Limit limit, long cost, long delayMicros, long nowMicros) {
        return take(state, limit, cost, nowMicros);
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
