package io.headgate.spring.cloud.gateway;

import org.springframework.boot.context.properties.bind.DefaultValue;

/** The headers of {@code RequestRateLimiter} by the properties of the gateway that name them. */
public record RedisRateLimiterHeaders(
        @DefaultValue("true") boolean includeHeaders,
        @DefaultValue("X-RateLimit-Remaining") String remainingHeader,
        @DefaultValue("X-RateLimit-Replenish-Rate") String replenishRateHeader,
        @DefaultValue("X-RateLimit-Burst-Capacity") String burstCapacityHeader,
        @DefaultValue("X-RateLimit-Requested-Tokens") String requestedTokensHeader) {}
