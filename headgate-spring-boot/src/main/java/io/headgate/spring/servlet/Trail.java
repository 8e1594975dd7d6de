package io.headgate.spring.servlet;

import io.headgate.http.Checkpoint;
import io.headgate.http.Verdict;
import io.headgate.spring.Progress;
import jakarta.servlet.ServletRequest;
import java.util.List;

/**
 * The {@link Progress} of a request from dispatch to dispatch. It is kept behind one attribute that is set once: after an include Spring
 * takes away the attributes that were set within it and puts back those that were there before, and what was charged within is to be
 * remembered. Where nothing was known before the include, nothing is known after it.
 */
final class Trail {

    private Progress progress = Progress.of(null);
    private boolean kept;

    private Trail() {}

    /** That of the request; a new one, which nobody keeps yet, if it was let pass nowhere so far. */
    static Trail of(ServletRequest request) {
        return request.getAttribute(Progress.ATTRIBUTE) instanceof Trail known ? known : new Trail();
    }

    /** As {@link Progress#due}. */
    List<Checkpoint> due(List<Checkpoint> matched, List<Checkpoint> own) {
        return progress.due(matched, own);
    }

    /** What the client is told by all that have let it pass. */
    Verdict told() {
        return progress.told();
    }

    /** Remembers that the request was let pass here. */
    void pass(List<Checkpoint> due, Verdict verdict, ServletRequest request) {
        progress = progress.and(due, verdict);
        if (!kept) {
            kept = true;
            request.setAttribute(Progress.ATTRIBUTE, this);
        }
    }
}
