package io.headgate.guide;

import java.time.Duration;

/** The exception of the README's first lines. */
final class TooManyRequests extends RuntimeException {

    private static final long serialVersionUID = 1L;

    TooManyRequests(Duration retryAfter) {
        super("try again in " + retryAfter);
    }
}
