package io.headgate.engine;

import io.headgate.Algorithm;
import io.headgate.Limit;

/**
 * An algorithm under one limit, with its state packed into one long: it gives the same answers as the {@link Algorithm}, without
 * an object per state. For in-process stores, where it saves an allocation and a garbage collector barrier per decision.
 *
 * <p>Callers pass costs between 1 and {@link Limit#burst}, and words that have been {@linkplain #rebase rebased}.
 *
 * @param <S> the unpacked state
 */
public interface Packing<S> {

    /** The result for a state that does not fit into a word. */
    long NONE = -1;

    /** As {@link Algorithm#waitMicros}. */
    long waitMicros(long word, long cost, long nowMicros);

    /** As {@link Algorithm#take}, when the wait is 0. */
    long take(long word, long cost, long nowMicros);

    /** As {@link EngineAlgorithm#remaining}. */
    long remaining(long word, long nowMicros);

    /** How long until the budget is full again, by {@link EngineAlgorithm#fullAtMicros}: 0 or less if it is full. */
    long fullInMicros(long word, long nowMicros);

    /** As {@link EngineAlgorithm#moreMicros}, right after the charge that produced this word and left {@code remaining}. */
    long moreInMicros(long word, long remaining, long nowMicros);

    /** As {@link Algorithm#rebase}. */
    long rebase(long word, long nowMicros);

    /** The non-negative word of a state, which may come from another limit; {@link #NONE} if the state does not fit. */
    long pack(S state, long nowMicros);

    /**
     * The unpacked state of a word at the given time.
     *
     * @param born distinguishes the charges on this word from those of other states: a word has no room for it
     */
    S unpack(long word, int born, long nowMicros);

    /** The unpacked state right after the charge that produced this word and left {@code remaining}. */
    S unpackCharged(long word, int born, long remaining);
}
