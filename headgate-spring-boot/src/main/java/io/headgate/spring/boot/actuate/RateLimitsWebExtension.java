package io.headgate.spring.boot.actuate;

import io.headgate.StoreException;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;
import org.springframework.lang.Nullable;

/** The endpoint over HTTP: 404 for an unknown rule, and error responses that state the reason. */
@SuppressWarnings("deprecation") // the only @Nullable that makes a parameter optional in the actuator of Spring Boot 3
@EndpointWebExtension(endpoint = RateLimitsEndpoint.class)
public final class RateLimitsWebExtension {

    private final RateLimitsEndpoint endpoint;

    public RateLimitsWebExtension(RateLimitsEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    @ReadOperation
    public WebEndpointResponse<?> standing(
            @Selector(match = Match.ALL_REMAINING) String[] rule, @Nullable String kind, @Nullable String subject) {
        try {
            RateLimitsEndpoint.Standing standing = endpoint.standing(rule, kind, subject);
            return standing == null ? unknown(rule) : new WebEndpointResponse<>(standing);
        } catch (InvalidEndpointRequestException e) {
            return because(e.getReason(), WebEndpointResponse.STATUS_BAD_REQUEST);
        } catch (StoreException e) {
            return because(e.getMessage(), WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE);
        }
    }

    @DeleteOperation
    public WebEndpointResponse<?> reset(
            @Selector(match = Match.ALL_REMAINING) String[] rule, @Nullable String kind, @Nullable String subject) {
        try {
            return endpoint.reset(rule, kind, subject) == null
                    ? unknown(rule)
                    : new WebEndpointResponse<>(WebEndpointResponse.STATUS_NO_CONTENT);
        } catch (InvalidEndpointRequestException e) {
            return because(e.getReason(), WebEndpointResponse.STATUS_BAD_REQUEST);
        } catch (StoreException e) {
            return because(e.getMessage(), WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE);
        }
    }

    private WebEndpointResponse<?> unknown(String[] rule) {
        return because(
                "no rule or annotation is called '" + String.join("/", rule) + "'; there are " + endpoint.names(),
                WebEndpointResponse.STATUS_NOT_FOUND);
    }

    /** A response with the reason in its body, since the error pages of Spring Boot do not show it. */
    private static WebEndpointResponse<?> because(@Nullable String reason, int status) {
        return new WebEndpointResponse<>(Map.of("message", String.valueOf(reason)), status);
    }
}
