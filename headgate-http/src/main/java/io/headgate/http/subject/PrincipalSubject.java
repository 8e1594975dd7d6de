package io.headgate.http.subject;

import io.headgate.http.RequestView;
import io.headgate.http.Subject;
import io.headgate.http.SubjectResolver;

/** Resolves the authenticated user. */
record PrincipalSubject() implements SubjectResolver {

    @Override
    public Subject resolve(RequestView request) {
        return StandardSubjects.optional("principal", request.principal());
    }

    @Override
    public String needs() {
        return "an authenticated user";
    }
}
