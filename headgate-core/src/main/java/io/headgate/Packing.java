package io.headgate;

/**
 * An algorithm under one limit, with its state packed into one long: the same answers as the {@link Algorithm} gives, without
 * an object per state. For stores in process, where it saves an allocation and a memory barrier of the collector per decision.
 *
 * <p>Costs lie between 1 and {@link Limit#burst}, and words have been {@linkplain #rebase rebased}.
 *
 * @param <S> the state in its usual form
 */
public interface Packing<S> {

    /** In place of the word of a state that does not fit. */
    long NONE = -1;

    /** As {@link Algorithm#waitMicros}. */
    long waitMicros(long word, long cost, long nowMicros);

    /** As {@link Algorithm#take}, when the wait is 0. */
    long take(long word, long cost, long nowMicros);

    /** As {@link Algorithm#remaining}. */
    long remaining(long word, long nowMicros);

    /** How long until the budget is full again, as {@link Algorithm#fullAtMicros} tells it: 0 or less if it is. */
    long fullInMicros(long word, long nowMicros);

    /** As {@link Algorithm#moreMicros}, right after a charge that led to this word and left so much. */
    long moreInMicros(long word, long remaining, long nowMicros);

    /** As {@link Algorithm#rebase}. */
    long rebase(long word, long nowMicros);

    /** The non-negative word of a state that may come from another limit, or {@link #NONE}. */
    long pack(S state, long nowMicros);

    /**
     * The state of a word, as of now.
     *
     * @param born what tells the charges on this word from those of other states: words have no room for it
     */
    S unpack(long word, int born, long nowMicros);

    /** The state right after the charge that led to this word and left so much. */
    S unpackCharged(long word, int born, long remaining);

    /** Whether a charge can still be told from others after the limit has become this one. */
    boolean tells(Limit later);

    /** Whoever keeps packed states, and knows how to read the words it wrote. */
    interface Holder {

        Packing<?> packing();
    }
}
