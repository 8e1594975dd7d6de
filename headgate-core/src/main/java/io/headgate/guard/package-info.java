/**
 * What surrounds a store that can fail: a deadline, a circuit breaker, a bulkhead, and what to answer instead.
 *
 * <p>Depends on the contracts of {@code io.headgate} and on no other package; the store that limits in process meanwhile is
 * handed in. Start reading at {@link io.headgate.guard.Guard}, then {@code GuardedStore}.
 */
@NullMarked
package io.headgate.guard;

import org.jspecify.annotations.NullMarked;
