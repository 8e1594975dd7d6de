package io.headgate.http;

import io.headgate.Decision;
import io.headgate.FailurePolicy;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Notifies listeners of decisions. No listener can change or delay a decision.
 *
 * <p>{@linkplain DecisionListener#quick Quick} listeners are called by the thread that decided, each of the others by a thread of
 * its own. Exceptions of listeners are counted, and the first one is logged.
 */
public final class Listeners {

    static final Listeners NONE = new Listeners(List.of());

    private static final System.Logger LOG = System.getLogger(Listeners.class.getName());

    private final DecisionListener[] listeners;
    private final DenialListener[] denialListeners;
    private final LongAdder failures = new LongAdder();
    private final LongAdder missed = new LongAdder();

    private Listeners(List<? extends DecisionListener> listeners) {
        this.listeners = listeners.stream()
                .map(each -> each.quick() ? each : new QueuedListener(each, this))
                .toArray(DecisionListener[]::new);
        this.denialListeners =
                listeners.stream().filter(DenialListener.class::isInstance).toArray(DenialListener[]::new);
    }

    public static Listeners of(List<? extends DecisionListener> listeners) {
        return listeners.isEmpty() ? NONE : new Listeners(listeners);
    }

    /** How often a listener has thrown an exception or error. */
    public long failures() {
        return failures.sum();
    }

    /** How many notifications were dropped because a listener was too far behind. */
    public long missed() {
        return missed.sum();
    }

    void decided(String rule, Decision decision, boolean enforced) {
        for (DecisionListener each : listeners) {
            try {
                each.decided(rule, decision, enforced);
            } catch (Throwable e) {
                threw(each, e);
            }
        }
    }

    void denied(BoundRule rule, Decision decision, RequestView request) {
        for (DenialListener each : denialListeners) {
            try {
                each.denied(rule.name(), decision, rule.enforced(), () -> who(rule, request));
            } catch (Throwable e) {
                threw(each, e);
            }
        }
    }

    private static Subject.@Nullable Present who(BoundRule rule, RequestView request) {
        try {
            return rule.subject(request) instanceof Subject.Present who ? who : null;
        } catch (RuntimeException e) {
            return null; // the resolver has failed before, which was reported then
        }
    }

    void failed(String rule, FailurePolicy policy, Throwable cause) {
        for (DecisionListener each : listeners) {
            try {
                each.failed(rule, policy, cause);
            } catch (Throwable e) {
                threw(each, e);
            }
        }
    }

    /** Counts what a listener has thrown; only errors that affect the whole process are rethrown. */
    void threw(DecisionListener listener, Throwable what) {
        Fatal.rethrow(what);
        count(failures, "the listener %s failed; later failures are only counted", listener, what);
    }

    void tooSlow(DecisionListener listener) {
        count(
                missed,
                "the listener %s is too slow and misses decisions; further missed decisions are only counted",
                listener,
                null);
    }

    /** Counts an event and logs only the first one: logging all of them would flood the log. */
    private static void count(LongAdder count, String what, DecisionListener who, @Nullable Throwable why) {
        boolean first = count.sum() == 0;
        count.increment();
        if (first) {
            LOG.log(System.Logger.Level.WARNING, what.formatted(who), why);
        }
    }
}
