/**
 * Protection around a store that can fail: a deadline, a circuit breaker, a bulkhead, and substitute answers.
 *
 * <p>Depends on the contracts of {@code io.headgate} and on no other package; the store that limits in process during an
 * outage is passed in. Start reading at {@link io.headgate.guard.Guard}, then {@code GuardedLedger}.
 */
@NullMarked
package io.headgate.guard;

import org.jspecify.annotations.NullMarked;
