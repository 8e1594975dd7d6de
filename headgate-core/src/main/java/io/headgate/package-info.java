/**
 * The contracts of rate limiting: what a limit is, what a decision says, what a store and an algorithm must do.
 *
 * <p>Depends on nothing but JSpecify and looks at none of its sub-packages; only {@link io.headgate.Headgate}, the
 * front door, wires them. Start reading at {@link io.headgate.RateLimiter}, then {@link io.headgate.Decision}.
 */
@NullMarked
package io.headgate;

import org.jspecify.annotations.NullMarked;
