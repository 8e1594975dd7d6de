/**
 * What a decision in process costs, the peers side by side.
 *
 * <p>May depend on everything. Start reading at {@link io.headgate.benchmarks.Comparison}, which prints the table; what is
 * measured is in {@link io.headgate.benchmarks.Scenarios}, and how each library is held and asked in
 * {@link io.headgate.benchmarks.Contender}.
 */
@NullMarked
package io.headgate.benchmarks;

import org.jspecify.annotations.NullMarked;
