/**
 * Benchmarks of a request through the gate, without a framework and within Spring MVC on Tomcat.
 *
 * <p>May depend on everything. Start reading at {@link io.headgate.benchmarks.http.GateBenchmark}.
 */
@NullMarked
package io.headgate.benchmarks.http;

import org.jspecify.annotations.NullMarked;
