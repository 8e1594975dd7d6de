package io.headgate.http.response;

/** A group of headers that are sent together or not at all. */
public enum HeaderFamily {

    /** {@code RateLimit-Policy} and {@code RateLimit} of draft-ietf-httpapi-ratelimit-headers-11. */
    RATE_LIMIT,

    /** {@code X-RateLimit-Limit}, {@code X-RateLimit-Remaining} and {@code X-RateLimit-Reset}, the last in Unix seconds. */
    X_RATE_LIMIT,

    /** {@code Retry-After} in whole seconds, on denials after which a retry can succeed. */
    RETRY_AFTER
}
