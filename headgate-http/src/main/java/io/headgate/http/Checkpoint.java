package io.headgate.http;

import io.headgate.Decision;
import io.headgate.Plan;
import io.headgate.RateLimiter;
import io.headgate.StoreException;
import io.headgate.TimeSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A rule in force: its words resolved, its limiter ready. Made by whoever compiles a {@link RuleSet}. */
public final class Checkpoint {

    private static final System.Logger LOG = System.getLogger(Gate.class.getName());

    /** What comes before the name of a rule that is only tried out, so that it has keys of its own; no name has a colon. */
    private static final String SHADOW_SCOPE = "shadow:";

    private final Rule rule;
    private final RateLimiter limiter;
    private final SubjectResolver subject;
    private final Bypass bypass;
    private final @Nullable CostResolver cost;
    private final @Nullable PlanCache plans;
    private final boolean needsPrincipal;
    private final List<Checkpoint> alone;
    private final AtomicBoolean warned = new AtomicBoolean();

    /**
     * A checkpoint for the rule.
     *
     * @throws IllegalArgumentException if the words of the rule mean nothing, or the store cannot keep the plan
     */
    public Checkpoint(
            Rule rule,
            Plan plan,
            Subjects subjects,
            @Nullable CostResolver cost,
            @Nullable PlanResolver plans,
            LimiterFactory limiters,
            TimeSource time) {
        String scope = rule.behavior() == Rule.Behavior.SHADOW ? SHADOW_SCOPE + rule.name() : rule.name();
        this.rule = rule;
        this.limiter = limiters.limiter(scope, plan, rule.onStoreFailure());
        this.subject = subjects.resolver(rule.subject(), rule.missing());
        this.bypass = rule.bypass().isEmpty() ? Bypass.NONE : subjects.bypass(rule.bypass(), rule.subject());
        this.cost = cost;
        this.plans = plans == null
                ? null
                : new PlanCache(
                        plans, limiter, special -> limiters.limiter(scope, special, rule.onStoreFailure()), time);
        this.needsPrincipal = subjects.needPrincipal(rule.subject()) || (cost != null && cost.needsPrincipal());
        this.alone = List.of(this);
    }

    public Rule rule() {
        return rule;
    }

    /** The limiter under the plan of the rule, for those who look after it. */
    public RateLimiter limiter() {
        return limiter;
    }

    /** A list of this and nothing else, the same each time. */
    public List<Checkpoint> alone() {
        return alone;
    }

    /** Whether it may ask a request for its user. An adapter that has to look for users need not do so for others. */
    public boolean needsPrincipal() {
        return needsPrincipal;
    }

    boolean enforced() {
        return rule.behavior() == Rule.Behavior.ENFORCE;
    }

    Subject subject(RequestView request) {
        return subject.resolve(request);
    }

    boolean bypasses(RequestView request, Subject who) {
        return bypass.bypasses(request, who);
    }

    long cost(RequestView request) {
        return cost == null ? rule.cost() : cost.cost(request);
    }

    /** Says in the log that one of its resolvers failed, the first time: what is limited then is not what the rule says. */
    void warnOf(RuntimeException failure) {
        if (warned.compareAndSet(false, true)) {
            // What others say may repeat what a client sent, which is nobody's business.
            String what = failure instanceof StoreException
                    ? failure.toString()
                    : failure.getClass().getName();
            LOG.log(
                    System.Logger.Level.WARNING,
                    "a resolver of rule '" + rule.name() + "' failed, which is settled by on-store-failure: " + what
                            + "; later failures are only counted, and told in full at the level DEBUG");
        }
    }

    /** Whether it may refuse somebody without asking anybody for the plan, the cost or the state. */
    boolean remembers() {
        return plans == null && cost == null && enforced() && limiter.remembers();
    }

    /** What it says to somebody, if that is known. */
    @Nullable
    Decision known(Subject.Present somebody) {
        return limiter.known(somebody.text(), rule.cost());
    }

    /** The limiter under the plan of that subject, for those who look after it. */
    public CompletableFuture<RateLimiter> limiterFor(Subject.Present somebody) {
        CompletableFuture<RateLimiter> special = limiterOf(somebody);
        return special == null ? CompletableFuture.completedFuture(limiter) : special;
    }

    /** The limiter of that subject; {@code null} if there is only the one. */
    @Nullable
    CompletableFuture<RateLimiter> limiterOf(Subject.Present somebody) {
        return plans == null ? null : plans.limiter(somebody);
    }

    @Override
    public String toString() {
        return "Checkpoint[" + rule.name() + "]";
    }
}
