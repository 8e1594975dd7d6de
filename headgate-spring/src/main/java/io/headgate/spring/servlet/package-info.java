/**
 * Limits servlet requests: a view of requests for the gate, an interceptor, and a filter in front of Spring Security.
 *
 * <p>Depends on the contracts above it and on Spring MVC. Start reading at
 * {@link io.headgate.spring.servlet.GateInterceptor}.
 */
@NullMarked
package io.headgate.spring.servlet;

import org.jspecify.annotations.NullMarked;
