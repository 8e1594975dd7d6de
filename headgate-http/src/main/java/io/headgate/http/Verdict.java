package io.headgate.http;

import io.headgate.Decision;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The result of checking a request: whether it may pass, and the decisions of the rules. */
public final class Verdict {

    /** The verdict on a request that no rule limits. */
    public static final Verdict PASS = new Verdict(null, List.of(), null);

    private final @Nullable Check strictest;
    private final List<Check> checks;
    private final @Nullable String missing;

    /**
     * One rule's decision.
     *
     * @param rule the name of an enforced rule, or of the budget of a method
     */
    public record Check(String rule, Decision decision) {

        /** Whether fewer permits remain. A decision that knows the store's count is always stricter than a degraded one. */
        private boolean stricterThan(Check other) {
            return decision.degraded() == other.decision.degraded()
                    ? decision.remaining() < other.decision.remaining()
                    : other.decision.degraded();
        }
    }

    private Verdict(@Nullable Check strictest, List<Check> checks, @Nullable String missing) {
        this.strictest = strictest;
        this.checks = checks;
        this.missing = missing;
    }

    /** The verdict of one rule. */
    public static Verdict of(String rule, Decision decision) {
        return of(rule, decision, null);
    }

    /** The verdict of one rule, possibly on a request without a subject. */
    static Verdict of(String rule, Decision decision, @Nullable String missing) {
        Check check = new Check(rule, decision);
        return new Verdict(check, List.of(check), missing);
    }

    /**
     * The verdict of several rules that let the request pass.
     *
     * @param checks the decisions in the order they were made; if empty, the verdict is {@link #PASS}
     */
    static Verdict of(List<Check> checks) {
        if (checks.isEmpty()) {
            return PASS;
        }
        Check strictest = checks.get(0);
        for (Check check : checks) {
            strictest = check.stricterThan(strictest) ? check : strictest;
        }
        return new Verdict(strictest, List.copyOf(checks), null);
    }

    /**
     * Combines this verdict with that of a later stage. If the later one is a denial, the result is that denial alone. Of a rule that
     * decided in both, the stricter decision is kept.
     */
    public Verdict and(Verdict later) {
        if (strictest == null || !later.allowed()) {
            return later;
        }
        if (later.strictest == null) {
            return this;
        }
        List<Check> all = new ArrayList<>(checks);
        later.checks.forEach(check -> add(check, all));
        return of(all);
    }

    private static void add(Check check, List<Check> all) {
        for (int i = 0; i < all.size(); i++) {
            Check known = all.get(i);
            if (known.rule.equals(check.rule)) {
                all.set(i, known.stricterThan(check) ? known : check);
                return;
            }
        }
        all.add(check);
    }

    /** Whether the request may go ahead. */
    public boolean allowed() {
        return strictest == null || strictest.decision.allowed();
    }

    /** The strictest decision; {@code null} if no rule limits the request. */
    public @Nullable Decision decision() {
        return strictest == null ? null : strictest.decision;
    }

    /** The name of the rule that made the {@link #decision}; {@code null} if no rule limits the request. */
    public @Nullable String rule() {
        return strictest == null ? null : strictest.rule;
    }

    /** The decisions that apply: for a denied request only the denial, otherwise all, in the order they were made. */
    public List<Check> checks() {
        return checks;
    }

    /**
     * What the request would need to have a subject, such as {@code a single X-API-Key header}; {@code null} if it was not denied for
     * the lack of one, or its resolver does not {@linkplain SubjectResolver#needs tell}.
     */
    public @Nullable String missing() {
        return missing;
    }

    @Override
    public String toString() {
        return strictest == null ? "Verdict[pass]" : "Verdict[" + strictest.rule + ": " + strictest.decision + "]";
    }
}
