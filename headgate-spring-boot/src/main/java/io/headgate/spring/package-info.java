/**
 * Headgate in a Spring application: what its authors write and what they can replace.
 *
 * <p>Holds the contracts of this module, and the little that its adapters for MVC and WebFlux share; looks at none of its
 * sub-packages. Start reading at {@link io.headgate.spring.RateLimit}; the wiring is in {@code autoconfigure}.
 */
@NullMarked
package io.headgate.spring;

import org.jspecify.annotations.NullMarked;
