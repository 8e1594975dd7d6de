package io.headgate.spring.servlet;

import io.headgate.http.Verdict;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/** How far a request has come: what it was charged for, and what its client is told. It stays with the request in all its dispatches. */
final class Progress {

    private static final String ATTRIBUTE = Progress.class.getName();

    /** {@code null} until the request has been at a handler. */
    @Nullable
    Charged charged;

    /** {@code null} while nothing has limited the request. */
    @Nullable
    Verdict told;

    private Progress() {}

    static Progress of(HttpServletRequest request) {
        if (request.getAttribute(ATTRIBUTE) instanceof Progress known) {
            return known;
        }
        Progress fresh = new Progress();
        request.setAttribute(ATTRIBUTE, fresh);
        return fresh;
    }
}
