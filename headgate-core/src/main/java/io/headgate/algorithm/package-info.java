/**
 * The built-in algorithms: pure transitions of a state under a limit, in integers, with the time as an argument.
 *
 * <p>May depend on the contracts of {@code io.headgate} only; knows no clock, thread or store. Start reading at
 * {@link io.headgate.algorithm.FixedWindow}, then {@link io.headgate.algorithm.TokenBucket}.
 */
@NullMarked
package io.headgate.algorithm;

import org.jspecify.annotations.NullMarked;
