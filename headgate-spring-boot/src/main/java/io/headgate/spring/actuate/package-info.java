/**
 * What operators see: the rules in force, how a key stands, how the store does, and how many decisions of which kind were made.
 *
 * <p>Depends on the contracts above it, and on Actuator and Micrometer, either of which may be missing. Start reading at
 * {@link io.headgate.spring.actuate.RateLimitsEndpoint}.
 */
@NullMarked
package io.headgate.spring.actuate;

import org.jspecify.annotations.NullMarked;
