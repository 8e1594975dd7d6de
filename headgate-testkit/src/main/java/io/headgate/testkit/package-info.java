/**
 * What you test limits with: time that moves only when told, decisions as assertions, stories in steps, and the contracts
 * that every {@link io.headgate.Algorithm} and every {@link io.headgate.Store} must pass, yours too.
 *
 * <p>May depend on the contracts of {@code io.headgate}, JUnit and AssertJ. Start reading at
 * {@link io.headgate.testkit.Steps}, then {@link io.headgate.testkit.AlgorithmContract}.
 */
@NullMarked
package io.headgate.testkit;

import org.jspecify.annotations.NullMarked;
