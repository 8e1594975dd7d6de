package io.headgate.http;

/** Says who is never limited by a rule. */
@FunctionalInterface
public interface Bypass {

    /** Nobody bypasses. */
    Bypass NONE = (request, subject) -> false;

    boolean bypasses(RequestView request, Subject.Present subject);
}
