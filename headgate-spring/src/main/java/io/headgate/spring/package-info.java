/**
 * Headgate in a Spring application: the types that applications use and those that they can replace.
 *
 * <p>Contains the contracts of this module and the code that its adapters for MVC and WebFlux share; depends on none of its
 * sub-packages. Start reading at {@link io.headgate.spring.RateLimit}; {@code headgate-spring-boot} does the wiring.
 */
@NullMarked
package io.headgate.spring;

import org.jspecify.annotations.NullMarked;
