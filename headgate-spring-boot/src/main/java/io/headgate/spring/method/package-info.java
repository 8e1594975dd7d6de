/**
 * Limits on methods of beans: reading {@link io.headgate.spring.RateLimit}, and standing between a bean and its callers.
 *
 * <p>Depends on the contracts above it and on Spring AOP; Reactor only where a method returns its types. Start reading at
 * {@link io.headgate.spring.method.MethodLimits}.
 */
@NullMarked
package io.headgate.spring.method;

import org.jspecify.annotations.NullMarked;
