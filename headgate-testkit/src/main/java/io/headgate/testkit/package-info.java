/**
 * Tools for testing limits: a time source that moves only on command, assertions about decisions, step-by-step stories, and
 * the contracts that every {@link io.headgate.Algorithm} and every {@link io.headgate.Store} must pass, including yours.
 *
 * <p>May depend on the contracts of {@code io.headgate}, JUnit and AssertJ. Start reading at
 * {@link io.headgate.testkit.Steps}, then {@link io.headgate.testkit.AlgorithmContract}.
 */
@NullMarked
package io.headgate.testkit;

import org.jspecify.annotations.NullMarked;
