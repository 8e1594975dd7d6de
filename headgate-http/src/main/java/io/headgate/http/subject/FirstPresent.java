package io.headgate.http.subject;

import io.headgate.http.RequestView;
import io.headgate.http.Subject;
import io.headgate.http.SubjectResolver;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Resolves to the first of several subjects that is present; if none is and one is unclear, the result is unclear. */
record FirstPresent(List<SubjectResolver> choices) implements SubjectResolver {

    FirstPresent {
        choices = List.copyOf(choices);
    }

    @Override
    public @Nullable String needs() {
        return CombinedSubject.joined(choices, " or ");
    }

    @Override
    public Subject resolve(RequestView request) {
        Subject nobody = Subject.absent();
        for (int i = 0; i < choices.size(); i++) {
            Subject subject = choices.get(i).resolve(request);
            if (subject instanceof Subject.Present) {
                return subject;
            }
            nobody = subject.equals(Subject.unclear()) ? subject : nobody;
        }
        return nobody;
    }
}
