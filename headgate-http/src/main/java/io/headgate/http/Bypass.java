package io.headgate.http;

/** Decides which requests and subjects a rule never limits. */
@FunctionalInterface
public interface Bypass {

    /** A bypass that exempts nobody. */
    Bypass NONE = (request, subject) -> false;

    /** Whether the request is exempt from the rule. The subject may be absent. */
    boolean bypasses(RequestView request, Subject subject);
}
