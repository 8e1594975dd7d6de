package io.headgate.spring.method;

import io.headgate.http.Bypass;
import io.headgate.http.Rule;
import io.headgate.http.Subject;
import io.headgate.http.SubjectResolver;
import io.headgate.http.Subjects;
import java.util.List;
import java.util.function.Function;

/**
 * The subjects of method calls: what the key finds in a call. Calls without a subject share one budget, unless the rule specifies
 * otherwise.
 */
record CallSubjects(Function<InvocationView, Subject> key) implements Subjects {

    private static final Subject NOBODY = Subject.of("nobody", "*");

    @Override
    public SubjectResolver resolver(List<String> words, Rule.Missing missing) {
        Subject otherwise = missing == Rule.Missing.FALL_BACK ? NOBODY : Subject.absent();
        return request ->
                key.apply((InvocationView) request) instanceof Subject.Present somebody ? somebody : otherwise;
    }

    @Override
    public Bypass bypass(List<String> entries, List<String> words) {
        return Bypass.NONE;
    }

    @Override
    public boolean clientControlled(List<String> words) {
        return false;
    }
}
