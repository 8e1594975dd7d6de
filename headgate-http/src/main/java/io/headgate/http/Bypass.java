package io.headgate.http;

/** Says who is never limited by a rule. */
@FunctionalInterface
public interface Bypass {

    /** Nobody bypasses. */
    Bypass NONE = (request, subject) -> false;

    /** Whether the request is left alone, whether or not it has a subject. */
    boolean bypasses(RequestView request, Subject subject);
}
