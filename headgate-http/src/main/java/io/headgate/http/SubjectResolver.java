package io.headgate.http;

/** Determines the subject of a request. Must not block. */
@FunctionalInterface
public interface SubjectResolver {

    Subject resolve(RequestView request);
}
