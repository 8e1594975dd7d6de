package io.headgate.spring.actuate;

import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/** The endpoint over HTTP, where a rule that does not exist is not found. */
@EndpointWebExtension(endpoint = RateLimitsEndpoint.class)
public final class RateLimitsWebExtension {

    private final RateLimitsEndpoint endpoint;

    public RateLimitsWebExtension(RateLimitsEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    @DeleteOperation
    public WebEndpointResponse<Void> reset(@Selector String rule, String kind, String subject) {
        return new WebEndpointResponse<>(
                endpoint.reset(rule, kind, subject)
                        ? WebEndpointResponse.STATUS_NO_CONTENT
                        : WebEndpointResponse.STATUS_NOT_FOUND);
    }
}
