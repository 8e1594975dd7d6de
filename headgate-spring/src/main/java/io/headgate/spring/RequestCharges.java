package io.headgate.spring;

import io.headgate.http.BoundRule;
import io.headgate.http.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one request has been charged to so far, in all its dispatches. The adapters keep it in an attribute of the request.
 *
 * <p>It is one mutable object in an attribute that is set once: after an include, Spring removes the attributes that were set within
 * it and restores the previous ones, but charges within the include must be remembered. If a request was not charged before the
 * include, they are forgotten. Thread-safe.
 */
public final class RequestCharges {

    /** The name of the request attribute. */
    public static final String ATTRIBUTE = RequestCharges.class.getName();

    private List<BoundRule> passed = List.of();
    private Verdict verdict = Verdict.PASS;
    private boolean unreported;

    private RequestCharges() {}

    /** The charges in that attribute; if it is absent, new ones that are not an attribute yet. */
    public static RequestCharges of(@Nullable Object attribute) {
        return attribute instanceof RequestCharges known ? known : new RequestCharges();
    }

    /** The verdict of everything that the request was charged to, as the response headers report it. */
    public synchronized Verdict verdict() {
        return verdict;
    }

    /** Records that the request has passed these bound rules. */
    public synchronized void pass(List<BoundRule> rules, Verdict allowed) {
        if (passed.isEmpty()) {
            passed = rules;
        } else {
            passed = new ArrayList<>(passed);
            passed.addAll(rules);
        }
        verdict = verdict.and(allowed);
    }

    /** Records what a method call was charged to. A method may be called, and charged, again and again. */
    public synchronized void call(Verdict allowed) {
        verdict = verdict.and(allowed);
    }

    /** As {@link #call}, where the headers cannot report the charge now and the next dispatch of the request is to do so. */
    public synchronized void callUnreported(Verdict allowed) {
        call(allowed);
        unreported = true;
    }

    /** Whether there are charges that no header reports yet; from now on they are reported. */
    public synchronized boolean takeUnreported() {
        boolean was = unreported;
        unreported = false;
        return was;
    }

    /**
     * The bound rules that the request must still pass, in one check: the rules that matched and the limits of its handler. None is
     * charged twice: a forward is checked by those rules of its new path that the request has not passed, and a rule that is also a
     * limit of the handler is checked once, as that limit.
     */
    public synchronized List<BoundRule> due(List<BoundRule> matched, List<BoundRule> ofHandler) {
        if (passed.isEmpty() && ofHandler.isEmpty()) {
            return matched;
        }
        List<BoundRule> due = new ArrayList<>(matched);
        due.removeIf(rule -> contains(ofHandler, rule));
        due.addAll(ofHandler);
        due.removeIf(rule -> contains(passed, rule));
        return due;
    }

    private static boolean contains(List<BoundRule> rules, BoundRule wanted) {
        return rules.stream().anyMatch(each -> each.name().equals(wanted.name()));
    }
}
