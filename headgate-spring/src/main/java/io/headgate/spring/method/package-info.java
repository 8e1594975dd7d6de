/**
 * Limits on methods of beans: reads {@link io.headgate.spring.RateLimit} and advises the beans that carry it.
 *
 * <p>Depends on the contracts in the packages above it and on Spring AOP; on Reactor only for methods that return its types. Start
 * reading at {@link io.headgate.spring.method.MethodLimits}.
 */
@NullMarked
package io.headgate.spring.method;

import org.jspecify.annotations.NullMarked;
