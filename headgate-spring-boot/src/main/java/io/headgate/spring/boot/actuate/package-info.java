/**
 * What operators see: the rules in force, the budget of a subject, the health of the store, and meters of decisions and failures.
 *
 * <p>Depends on the contracts in the packages above it, and on Actuator and Micrometer, either of which may be missing. Start reading at
 * {@link io.headgate.spring.boot.actuate.RateLimitsEndpoint}.
 */
@NullMarked
package io.headgate.spring.boot.actuate;

import org.jspecify.annotations.NullMarked;
