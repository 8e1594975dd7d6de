/**
 * Limits of routes in Spring Cloud Gateway: the filter {@code RateLimit} for both gateways, and a limiter for the gateway's own
 * {@code RequestRateLimiter}.
 *
 * <p>Depends on {@code headgate-spring-boot} and on the gateway that the application is. Start reading at
 * {@link io.headgate.spring.cloud.gateway.RouteLimits}.
 */
@NullMarked
package io.headgate.spring.cloud.gateway;

import org.jspecify.annotations.NullMarked;
