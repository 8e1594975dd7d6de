package io.headgate.http;

import io.headgate.Decision;
import io.headgate.DecisionListener;
import io.headgate.FailurePolicy;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Those who are told of decisions, none of whom can change or delay one.
 *
 * <p>{@linkplain DecisionListener#quick Quick} ones are told by the thread that decided, every other by a thread of its own; so
 * gates that have the same listeners share one of these. What a listener throws is counted, and the first of it logged.
 */
public final class Listeners {

    static final Listeners NONE = new Listeners(List.of());

    private static final System.Logger LOG = System.getLogger(Listeners.class.getName());

    private final DecisionListener[] listeners;
    private final LongAdder failures = new LongAdder();
    private final LongAdder missed = new LongAdder();

    private Listeners(List<? extends DecisionListener> listeners) {
        this.listeners = listeners.stream()
                .map(each -> each.quick() ? each : new Aside(each, this))
                .toArray(DecisionListener[]::new);
    }

    public static Listeners of(List<? extends DecisionListener> listeners) {
        return listeners.isEmpty() ? NONE : new Listeners(listeners);
    }

    /** How often a listener has thrown something. */
    public long failures() {
        return failures.sum();
    }

    /** How often a listener was not told because it was too far behind. */
    public long missed() {
        return missed.sum();
    }

    void decided(String scope, Decision decision, boolean enforced) {
        for (DecisionListener each : listeners) {
            try {
                each.decided(scope, decision, enforced);
            } catch (Throwable e) {
                threw(each, e);
            }
        }
    }

    void failed(String scope, FailurePolicy policy, Throwable cause) {
        for (DecisionListener each : listeners) {
            try {
                each.failed(scope, policy, cause);
            } catch (Throwable e) {
                threw(each, e);
            }
        }
    }

    /** Notes what a listener has thrown; only what the whole process suffers from is passed on. */
    void threw(DecisionListener listener, Throwable what) {
        Fatal.passOn(what);
        count(failures, "the listener %s failed; later failures are only counted", listener, what);
    }

    void tooSlow(DecisionListener listener) {
        count(
                missed,
                "the listener %s is too slow and misses decisions, which from now on are only counted",
                listener,
                null);
    }

    /** Only the first is written about: all others would flood the log. */
    private static void count(LongAdder count, String what, DecisionListener who, @Nullable Throwable why) {
        boolean first = count.sum() == 0;
        count.increment();
        if (first) {
            LOG.log(System.Logger.Level.WARNING, what.formatted(who), why);
        }
    }
}
