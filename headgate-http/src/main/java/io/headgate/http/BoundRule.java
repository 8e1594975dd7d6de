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

/** A rule in force, with its resolvers looked up and its limiter built. Created by the compiler of a {@link RuleSet}. */
public final class BoundRule {

    private static final System.Logger LOG = System.getLogger(Gate.class.getName());

    /** The prefix of the scope of a shadow rule, which gives it keys of its own: the name of a rule never contains a colon. */
    private static final String SHADOW_SCOPE = "shadow:";

    private final Rule rule;
    private final RateLimiter limiter;
    private final SubjectResolver subject;
    private final Decision nobody;
    private final Bypass bypass;
    private final @Nullable CostResolver cost;
    private final @Nullable PlanCache plans;
    private final @Nullable PathVariables variables;
    private final boolean needsPrincipal;
    private final List<BoundRule> alone;
    private final AtomicBoolean warned = new AtomicBoolean();

    /** Creates the bound rule of a rule whose resolvers see no variables in its patterns. */
    public BoundRule(
            Rule rule,
            Plan plan,
            Subjects subjects,
            @Nullable CostResolver cost,
            @Nullable PlanResolver plans,
            LimiterFactory limiters,
            TimeSource time) {
        this(rule, plan, subjects, cost, plans, null, limiters, time);
    }

    /**
     * Creates the bound rule of the rule.
     *
     * @param variables the variables in its patterns; {@code null} if it has none
     * @throws IllegalArgumentException if the rule names an unknown subject or an invalid bypass, or the store cannot keep the plan
     */
    public BoundRule(
            Rule rule,
            Plan plan,
            Subjects subjects,
            @Nullable CostResolver cost,
            @Nullable PlanResolver plans,
            @Nullable PathVariables variables,
            LimiterFactory limiters,
            TimeSource time) {
        String scope = rule.behavior() == Rule.Behavior.SHADOW ? SHADOW_SCOPE + rule.name() : rule.name();
        this.rule = rule;
        this.limiter = limiters.limiter(scope, plan, rule.onStoreFailure());
        this.subject = subjects.resolver(rule.subject(), rule.missing());
        this.nobody = NoDecision.aboutNobody(plan);
        this.bypass = rule.bypass().isEmpty() ? Bypass.NONE : subjects.bypass(rule.bypass(), rule.subject());
        this.cost = cost;
        this.plans = plans == null
                ? null
                : new PlanCache(
                        plans, limiter, special -> limiters.limiter(scope, special, rule.onStoreFailure()), time);
        boolean customSubject = subjects.needPrincipal(rule.subject()); // or the principal itself
        this.variables = customSubject || cost != null || plans != null ? variables : null;
        this.needsPrincipal =
                customSubject || (cost != null && cost.needsPrincipal()) || (plans != null && plans.needsPrincipal());
        this.alone = List.of(this);
    }

    public Rule rule() {
        return rule;
    }

    /** The limiter with the plan of the rule, for inspection and administration. */
    public RateLimiter limiter() {
        return limiter;
    }

    /** A list that contains only this bound rule; always the same instance. */
    public List<BoundRule> alone() {
        return alone;
    }

    /** Whether this bound rule may ask a request for its principal. If not, an adapter need not look the principal up. */
    public boolean needsPrincipal() {
        return needsPrincipal;
    }

    boolean enforced() {
        return rule.behavior() == Rule.Behavior.ENFORCE;
    }

    /** The request as the resolvers of this rule see it. */
    private RequestView seen(RequestView request) {
        return variables == null ? request : new RuleView(request, variables);
    }

    Subject subject(RequestView request) {
        return subject.resolve(seen(request));
    }

    /** The decision for a request without a subject, if the rule denies such requests; always the same instance. */
    Decision aboutNobody() {
        return nobody;
    }

    /** The verdict on a request that this bound rule denies. */
    @SuppressWarnings("ReferenceEquality") // only that instance says that the subject is missing
    Verdict denial(Decision decision) {
        return Verdict.of(rule, decision, decision == nobody ? subject.needs() : null);
    }

    boolean bypasses(RequestView request, Subject who) {
        return bypass.bypasses(request, who);
    }

    long cost(RequestView request) {
        return cost == null ? rule.cost() : cost.cost(seen(request));
    }

    /** Logs the first failure of one of its resolvers: the request is then not limited as the rule says. */
    void warnOf(RuntimeException failure) {
        if (warned.compareAndSet(false, true)) {
            // The message of any other exception may repeat what a client sent, which must not get into the log.
            String what = failure instanceof StoreException
                    ? failure.toString()
                    : failure.getClass().getName();
            LOG.log(
                    System.Logger.Level.WARNING,
                    "a resolver of rule '" + rule.name() + "' failed, so its on-store-failure policy applies: " + what
                            + "; later failures are only counted, and logged in full at level DEBUG");
        }
    }

    /** Whether it may deny a subject without asking a plan resolver, a cost resolver or the store. */
    boolean remembers() {
        return plans == null && cost == null && enforced() && limiter.remembers();
    }

    /** The decision for the subject if it is known without asking the store, else {@code null}. */
    @Nullable
    Decision known(Subject.Present somebody) {
        return limiter.known(somebody.text(), rule.cost());
    }

    /** The limiter with the plan of that subject, for inspection and administration. */
    public CompletableFuture<RateLimiter> limiterFor(Subject.Present somebody) {
        return plans == null ? CompletableFuture.completedFuture(limiter) : plans.limiter(somebody);
    }

    /** The limiter of the subject of that request; {@code null} if the rule has no plan resolver and so one limiter for all subjects. */
    @Nullable
    CompletableFuture<RateLimiter> limiterOf(Subject.Present somebody, RequestView request) {
        return plans == null ? null : plans.limiter(somebody, seen(request));
    }

    @Override
    public String toString() {
        return "BoundRule[" + rule.name() + "]";
    }
}
