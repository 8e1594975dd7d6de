package io.headgate.http;

/** Finds out who is to be limited. Must not block. */
@FunctionalInterface
public interface SubjectResolver {

    Subject resolve(RequestView request);
}
