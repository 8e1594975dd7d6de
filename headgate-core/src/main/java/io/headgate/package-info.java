/**
 * The contracts of rate limiting: what a limit is, what a decision says, what a store and an algorithm must do.
 *
 * <p>Depends on nothing but JSpecify and on none of its sub-packages; only {@link io.headgate.Headgate}, the
 * entry point, wires them. Start reading at {@link io.headgate.RateLimiter}, then {@link io.headgate.Decision}.
 */
@NullMarked
package io.headgate;

import org.jspecify.annotations.NullMarked;
