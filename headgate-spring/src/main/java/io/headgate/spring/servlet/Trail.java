package io.headgate.spring.servlet;

import io.headgate.http.BoundRule;
import io.headgate.http.Verdict;
import io.headgate.spring.Progress;
import jakarta.servlet.ServletRequest;
import java.util.List;

/**
 * Holds the {@link Progress} of a request across dispatches, mutably, in an attribute that is set only once: after an include, Spring
 * removes the attributes that were set within it and restores the previous ones, but charges within the include must be remembered.
 * If a request had no trail before the include, they are forgotten.
 */
final class Trail {

    private volatile Progress progress = Progress.of(null);
    private volatile boolean unreported;
    private boolean kept;

    private Trail() {}

    /** The trail of the request; a new one, not yet an attribute of the request, if it has passed no bound rule so far. */
    static Trail of(ServletRequest request) {
        return request.getAttribute(Progress.ATTRIBUTE) instanceof Trail known ? known : new Trail();
    }

    /** The trail of the request, which from now on is an attribute of the request. */
    static Trail kept(ServletRequest request) {
        Trail trail = of(request);
        trail.keep(request);
        return trail;
    }

    /** As {@link Progress#due}. */
    List<BoundRule> due(List<BoundRule> matched, List<BoundRule> own) {
        return progress.due(matched, own);
    }

    /** The verdict of all bound rules that the request has passed, as the headers report it. */
    Verdict told() {
        return progress.told();
    }

    /** Records that the request has passed these bound rules. */
    synchronized void pass(List<BoundRule> due, Verdict verdict, ServletRequest request) {
        progress = progress.and(due, verdict);
        keep(request);
    }

    /**
     * Records what a method call was charged to.
     *
     * @param reported whether the headers will report it now; if not, the next dispatch of the request is to do so
     */
    synchronized void called(Verdict verdict, boolean reported) {
        progress = progress.called(verdict);
        if (!reported) {
            unreported = true;
        }
    }

    /** Whether there are charges that no header reports yet; from now on they are reported. */
    boolean takeUnreported() {
        boolean was = unreported;
        if (was) {
            unreported = false;
        }
        return was;
    }

    private void keep(ServletRequest request) {
        if (!kept) {
            kept = true;
            request.setAttribute(Progress.ATTRIBUTE, this);
        }
    }
}
