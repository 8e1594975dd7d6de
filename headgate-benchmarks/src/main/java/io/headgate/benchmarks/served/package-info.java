/**
 * What limiting costs a Spring application over HTTP: the same endpoint bare, behind us, and behind others.
 *
 * <p>Depends on everything. Start reading at {@link io.headgate.benchmarks.served.HttpComparison}.
 */
@NullMarked
package io.headgate.benchmarks.served;

import org.jspecify.annotations.NullMarked;
