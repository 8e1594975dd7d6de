/**
 * Benchmarks of a Spring application over HTTP: the same endpoint without a limiter, behind Headgate, and behind other limiters.
 *
 * <p>Depends on everything. Start reading at {@link io.headgate.benchmarks.served.HttpComparison}.
 */
@NullMarked
package io.headgate.benchmarks.served;

import org.jspecify.annotations.NullMarked;
