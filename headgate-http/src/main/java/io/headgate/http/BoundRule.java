package io.headgate.http;

import io.headgate.Decision;
import io.headgate.FailurePolicy;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.RateLimiter;
import io.headgate.Standing;
import io.headgate.StoreException;
import io.headgate.TimeSource;
import io.headgate.engine.Grant;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A rule in force, or the limit of a method: its plan bound to its scope in the store, with the resolvers of who is charged and how
 * much. A {@link Gate} checks it.
 */
public final class BoundRule {

    private static final System.Logger LOG = System.getLogger(Gate.class.getName());

    /** The prefix of the scope of a shadow rule, which gives it keys of its own: the name of a rule never contains a colon. */
    private static final String SHADOW_SCOPE = "shadow:";

    /** When a client may retry after a failure. */
    private static final Duration RETRY_AFTER_FAILURE = Duration.ofSeconds(1);

    private final String name;
    private final boolean enforced;
    private final FailurePolicy onStoreFailure;
    private final Budget budget;
    private final @Nullable PlanCache plans;
    private final SubjectResolver subject;
    private final Rule.Missing missing;
    private final Bypass bypass;
    private final long fixedCost;
    private final @Nullable CostResolver cost;
    private final @Nullable PathVariables variables;
    private final boolean needsPrincipal;

    private final Decision missingSubject;
    private final List<BoundRule> alone;
    private final AtomicBoolean warned = new AtomicBoolean();

    private BoundRule(
            String name,
            boolean enforced,
            FailurePolicy onStoreFailure,
            Budget budget,
            @Nullable PlanCache plans,
            SubjectResolver subject,
            Rule.Missing missing,
            Bypass bypass,
            long fixedCost,
            @Nullable CostResolver cost,
            @Nullable PathVariables variables,
            boolean needsPrincipal) {
        this.name = name;
        this.enforced = enforced;
        this.onStoreFailure = onStoreFailure;
        this.budget = budget;
        this.plans = plans;
        this.subject = subject;
        this.missing = missing;
        this.bypass = bypass;
        this.fixedCost = fixedCost;
        this.cost = cost;
        this.variables = variables;
        this.needsPrincipal = needsPrincipal;
        this.missingSubject = impossible(budget.plan());
        this.alone = List.of(this);
    }

    /**
     * Binds a rule.
     *
     * @param variables the variables in its patterns; {@code null} if it has none
     * @throws IllegalArgumentException if the rule names an unknown subject or an invalid bypass, or the store cannot keep the plan
     */
    public static BoundRule of(
            Rule rule,
            Plan plan,
            Subjects subjects,
            @Nullable CostResolver cost,
            @Nullable PlanResolver plans,
            @Nullable PathVariables variables,
            LedgerFactory ledgers,
            TimeSource time) {
        boolean shadow = rule.behavior() == Rule.Behavior.SHADOW;
        String scope = shadow ? SHADOW_SCOPE + rule.name() : rule.name();
        FailurePolicy policy = rule.onStoreFailure();
        Budget budget = Budget.of(scope, plan, policy, ledgers);
        boolean customSubject = subjects.needPrincipal(rule.subject()); // or the principal itself
        return new BoundRule(
                rule.name(),
                !shadow,
                policy,
                budget,
                plans == null
                        ? null
                        : new PlanCache(plans, budget, other -> Budget.of(scope, other, policy, ledgers), time),
                subjects.resolver(rule.subject(), rule.missing()),
                rule.missing(),
                rule.bypass().isEmpty() ? Bypass.NONE : subjects.bypass(rule.bypass(), rule.subject()),
                rule.cost(),
                cost,
                customSubject || cost != null || plans != null ? variables : null,
                customSubject || (cost != null && cost.needsPrincipal()) || (plans != null && plans.needsPrincipal()));
    }

    /**
     * Binds the limit of a method.
     *
     * @param name identifies the budget
     * @param subject finds who is charged for a call; a call without a subject is denied
     * @param needsPrincipal whether that may ask for the principal
     * @throws IllegalArgumentException if the store cannot keep the plan
     */
    public static BoundRule ofMethod(
            String name,
            Plan plan,
            SubjectResolver subject,
            boolean needsPrincipal,
            FailurePolicy onStoreFailure,
            LedgerFactory ledgers) {
        Budget budget = Budget.of(name, plan, onStoreFailure, ledgers);
        return new BoundRule(
                name,
                true,
                onStoreFailure,
                budget,
                null,
                Objects.requireNonNull(subject, "subject"),
                Rule.Missing.DENY,
                Bypass.NONE,
                1,
                null,
                null,
                needsPrincipal);
    }

    /**
     * The same limits and budgets for calls of a method, with another subject. Nothing bypasses them, and no resolver sees the variables
     * of the rule's patterns. What happens without a subject stays as it is.
     */
    public BoundRule withSubject(SubjectResolver other) {
        return with(other, Bypass.NONE, cost, null);
    }

    /** The same limits and budgets at another cost. */
    public BoundRule withCost(CostResolver other) {
        return with(subject, bypass, other, variables);
    }

    private BoundRule with(
            SubjectResolver who, Bypass exempt, @Nullable CostResolver costs, @Nullable PathVariables seen) {
        return new BoundRule(
                name,
                enforced,
                onStoreFailure,
                budget,
                plans,
                who,
                missing,
                exempt,
                fixedCost,
                costs,
                seen,
                needsPrincipal || (costs != null && costs.needsPrincipal()));
    }

    /** The name of the rule, or of the budget of a method. */
    public String name() {
        return name;
    }

    /** Whether a denial is enforced; if not, the rule is in shadow mode. */
    public boolean enforced() {
        return enforced;
    }

    /** The plan of every subject, unless {@linkplain #plansDiffer plans differ}. */
    public Plan plan() {
        return budget.plan();
    }

    /** Whether a {@link PlanResolver} may give a subject a plan of its own. */
    public boolean plansDiffer() {
        return plans != null;
    }

    /** What happens to a request without a subject. */
    public Rule.Missing missing() {
        return missing;
    }

    /** The limiter with the plan of the rule, for inspection and administration. */
    public RateLimiter limiter() {
        return budget.limiter();
    }

    /** The limiter with the plan of that subject, for inspection and administration. */
    public CompletableFuture<RateLimiter> limiterFor(Subject.Present who) {
        return plans == null
                ? CompletableFuture.completedFuture(limiter())
                : plans.budget(who).thenApply(Budget::limiter);
    }

    /** A list that contains only this bound rule; always the same instance. */
    public List<BoundRule> alone() {
        return alone;
    }

    /** Whether this bound rule may ask a request for its principal. If not, an adapter need not look the principal up. */
    public boolean needsPrincipal() {
        return needsPrincipal;
    }

    /** What happens when the store fails. */
    public FailurePolicy onStoreFailure() {
        return onStoreFailure;
    }

    /** The request as the resolvers of this rule see it: the variables of its patterns are there before a handler is found. */
    private RequestView withVariables(RequestView request) {
        if (variables == null) {
            return request;
        }
        return new RequestViewDecorator(request) {
            @Override
            public @Nullable String pathVariable(String variable) {
                String ofHandler = request.pathVariable(variable);
                return ofHandler != null ? ofHandler : variables.value(request.path(), variable);
            }
        };
    }

    Subject subject(RequestView request) {
        return subject.resolve(withVariables(request));
    }

    boolean bypasses(RequestView request, Subject who) {
        return bypass.bypasses(request, who);
    }

    long cost(RequestView request) {
        return cost == null ? fixedCost : cost.cost(withVariables(request));
    }

    /** The budget with the plan of the rule. */
    Budget budget() {
        return budget;
    }

    /** The budget of the subject of that request; {@code null} if all subjects have the plan of the rule. */
    @Nullable
    CompletableFuture<Budget> ownBudget(Subject.Present who, RequestView request) {
        return plans == null ? null : plans.budget(who, withVariables(request));
    }

    /** Whether it may deny a subject without asking a plan resolver, a cost resolver or the store. */
    boolean remembersDenials() {
        return plans == null && cost == null && enforced && budget.ledger().remembers();
    }

    /** The decision for the subject if it is known without asking the store, else {@code null}. */
    @Nullable
    Decision remembered(Subject.Present who) {
        return budget.ledger().known(who.text(), Operation.Take.of(fixedCost));
    }

    /** The decision for a request without a subject, if such requests are denied; always the same instance. */
    Decision missingSubject() {
        return missingSubject;
    }

    /** Waiting does not help. */
    private static Decision impossible(Plan plan) {
        List<Standing> standings = plan.limits().stream()
                .map(limit -> new Standing(limit, 0, Standing.NEVER, 0, Standing.NEVER))
                .toList();
        return new Decision.Impossible(standings.get(0).limit(), 0, 0, standings);
    }

    /**
     * The decision after a failure, by the failure policy: {@code OPEN} allows the request, the other policies make it
     * {@link Decision.Unavailable}. {@code LOCAL} gets here only if limiting in process was not possible either.
     */
    Decision failed(RuntimeException failure) {
        Limit limit = budget.plan().limits().get(0);
        if (onStoreFailure == FailurePolicy.OPEN) {
            return Grant.of(limit, "", 1, limit.burst(), 0, 0, null).asDegraded();
        }
        StoreException cause =
                failure instanceof StoreException known ? known : new StoreException("no decision was made", failure);
        return new Decision.Unavailable(limit, RETRY_AFTER_FAILURE, cause);
    }

    /** The verdict on a request that this bound rule denies. */
    @SuppressWarnings("ReferenceEquality") // only that instance says that the subject is missing
    Verdict denial(Decision decision) {
        return Verdict.of(name, decision, decision == missingSubject ? subject.needs() : null);
    }

    /** Logs the first failure of one of its resolvers: the request is then not limited as the rule says. */
    void warnOfResolver(RuntimeException failure) {
        if (warned.compareAndSet(false, true)) {
            // The message of any other exception may repeat what a client sent, which must not get into the log.
            String what = failure instanceof StoreException
                    ? failure.toString()
                    : failure.getClass().getName();
            LOG.log(
                    System.Logger.Level.WARNING,
                    "a resolver of rule '" + name + "' failed, so its on-store-failure policy applies: " + what
                            + "; later failures are only counted, and logged in full at level DEBUG");
        }
    }

    @Override
    public String toString() {
        return "BoundRule[" + name + "]";
    }
}
