/**
 * What a request through the gate costs, without a framework around it and within Spring MVC on Tomcat.
 *
 * <p>May depend on everything. Start reading at {@link io.headgate.benchmarks.http.GateBenchmark}.
 */
@NullMarked
package io.headgate.benchmarks.http;

import org.jspecify.annotations.NullMarked;
