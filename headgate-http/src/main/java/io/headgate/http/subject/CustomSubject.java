package io.headgate.http.subject;

import io.headgate.http.RequestView;
import io.headgate.http.Subject;
import io.headgate.http.SubjectResolver;
import org.jspecify.annotations.Nullable;

/** A subject that the application resolves. Its kind begins with the name of the resolver, so that no two share a budget. */
record CustomSubject(String kind, SubjectResolver own) implements SubjectResolver {

    @Override
    public Subject resolve(RequestView request) {
        Subject subject = own.resolve(request);
        if (subject instanceof Subject.Present found) {
            return Subject.of(found.kind().isEmpty() ? kind : kind + "/" + found.kind(), found.value());
        }
        return Subject.unclear().equals(subject) ? subject : Subject.absent();
    }

    @Override
    public @Nullable String needs() {
        return own.needs();
    }
}
