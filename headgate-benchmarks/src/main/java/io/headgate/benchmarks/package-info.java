/**
 * Benchmarks of in-process decisions, Headgate and its peers side by side.
 *
 * <p>May depend on everything. Start reading at {@link io.headgate.benchmarks.Comparison}, which prints the table;
 * {@link io.headgate.benchmarks.Scenarios} defines what is measured, {@link io.headgate.benchmarks.Contender} how each library is
 * set up and called.
 */
@NullMarked
package io.headgate.benchmarks;

import org.jspecify.annotations.NullMarked;
