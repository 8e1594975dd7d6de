package io.headgate.spring.method;

import io.headgate.http.BoundRule;
import io.headgate.http.RequestView;
import io.headgate.http.Rule;
import io.headgate.http.Subject;
import io.headgate.http.SubjectResolver;
import java.util.function.Function;

/**
 * Finds the subject of a call.
 *
 * @param key what identifies the subject
 * @param otherwise the subject of a call in which the key finds none
 */
record CallSubject(Function<InvocationView, Subject> key, Subject otherwise) implements SubjectResolver {

    /** The subject of all calls without one, which share one budget. */
    private static final Subject NOBODY = Subject.of("nobody", "*");

    /** Finds the subject by the key, else all calls share one budget. */
    static CallSubject orNobody(Function<InvocationView, Subject> key) {
        return new CallSubject(key, NOBODY);
    }

    /** Finds the subject by the key, else the rule decides what happens to a call without one. */
    static CallSubject under(BoundRule rule, Function<InvocationView, Subject> key) {
        return rule.missing() == Rule.Missing.FALL_BACK ? orNobody(key) : new CallSubject(key, Subject.absent());
    }

    @Override
    public Subject resolve(RequestView call) {
        return key.apply((InvocationView) call) instanceof Subject.Present found ? found : otherwise;
    }
}
