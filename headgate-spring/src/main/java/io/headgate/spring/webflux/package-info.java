/**
 * Limits WebFlux requests, without ever blocking a thread.
 *
 * <p>Depends on the contracts above it and on Spring WebFlux. Start reading at
 * {@link io.headgate.spring.webflux.GateHandlerAdapter}.
 */
@NullMarked
package io.headgate.spring.webflux;

import org.jspecify.annotations.NullMarked;
