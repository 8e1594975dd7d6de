package io.headgate.http.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Thrown instead of sending a request that a limit does not allow within the time that it may wait. Nothing was sent. */
public final class OutgoingLimitException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String client;
    private final Duration retryAfter;

    OutgoingLimitException(String client, Duration retryAfter, String why, @Nullable Throwable cause) {
        super("client '" + client + "': the request was not sent, because " + why, cause);
        this.client = client;
        this.retryAfter = retryAfter;
    }

    /** The name of the client whose budget is used up. */
    public String client() {
        return client;
    }

    /** How long to wait before trying again, as far as that is known; a second if it is not. */
    public Duration retryAfter() {
        return retryAfter;
    }
}
