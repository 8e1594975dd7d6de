package io.headgate.http;

import org.jspecify.annotations.Nullable;

/** Determines the subject of a request. Must not block. */
@FunctionalInterface
public interface SubjectResolver {

    Subject resolve(RequestView request);

    /**
     * What a request must have for its subject to be found, such as {@code a single X-API-Key header}. A client that is denied because
     * its subject is missing is told so. {@code null} if there is nothing to tell.
     */
    default @Nullable String needs() {
        return null;
    }
}
