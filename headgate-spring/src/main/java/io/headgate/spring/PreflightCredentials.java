package io.headgate.spring;

import java.util.List;
import java.util.function.Predicate;
import org.springframework.http.HttpHeaders;

/**
 * The credentials that a browser never sends with a CORS preflight. A request that carries them is no preflight, whatever it looks like:
 * code before Spring's answer, such as Spring Security, looks at them.
 */
public final class PreflightCredentials {

    private static final List<String> NAMES =
            List.of(HttpHeaders.AUTHORIZATION, HttpHeaders.PROXY_AUTHORIZATION, HttpHeaders.COOKIE);

    private PreflightCredentials() {}

    /** Whether a request carries any. */
    public static boolean in(Predicate<String> hasHeader) {
        return NAMES.stream().anyMatch(hasHeader);
    }
}
