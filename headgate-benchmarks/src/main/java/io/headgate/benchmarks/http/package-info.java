/**
 * What a request through the gate costs, without a framework around it.
 *
 * <p>May depend on everything. Start reading at {@link io.headgate.benchmarks.http.GateBenchmark}.
 */
@NullMarked
package io.headgate.benchmarks.http;

import org.jspecify.annotations.NullMarked;
