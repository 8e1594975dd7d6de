package io.headgate.http;

import io.headgate.Plan;
import io.headgate.StoreException;
import io.headgate.TimeSource;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Caches the budget of each subject, so that the plan resolver is called once a minute per subject and not for every request.
 *
 * <p>Bounded by two generations: when the young one is full it becomes the old one, and the previous old one is dropped. A subject
 * that is looked up again moves to the young generation, so a flood of new subjects costs each other subject one call of the
 * resolver at most.
 */
final class PlanCache {

    static final int GENERATION = 10_000;
    static final long KEPT_MICROS = 60_000_000;

    /** How long a failure is cached, so that a failing resolver is not called for every request. */
    static final long FAILURE_KEPT_MICROS = 1_000_000;

    /** The timeout of a call of the resolver. */
    static final long ANSWER_MICROS = 1_000_000;

    private final PlanResolver plans;
    private final Budget defaultBudget;
    private final Function<Plan, Budget> budgets;
    private final TimeSource time;
    private final ConcurrentHashMap<Plan, Budget> byPlan = new ConcurrentHashMap<>();

    private volatile ConcurrentHashMap<String, Answer> young = new ConcurrentHashMap<>();
    private volatile ConcurrentHashMap<String, Answer> old = new ConcurrentHashMap<>();

    /** The answer of a resolver. Its age counts from the call, and anew from when a pending answer arrives. */
    private static final class Answer {

        final CompletableFuture<Budget> budget;
        private volatile long sinceMicros;

        Answer(CompletableFuture<Budget> budget, TimeSource time) {
            this.sinceMicros = time.nowMicros(); // read after the call, which may have blocked
            this.budget = budget.isDone() // the dependent future completes after sinceMicros is set
                    ? budget
                    : budget.whenComplete((known, failure) -> sinceMicros = time.nowMicros());
        }

        boolean holds(long nowMicros) {
            long age = nowMicros - sinceMicros;
            return age >= 0 && age < (budget.isCompletedExceptionally() ? FAILURE_KEPT_MICROS : KEPT_MICROS);
        }
    }

    PlanCache(PlanResolver plans, Budget defaultBudget, Function<Plan, Budget> budgets, TimeSource time) {
        this.plans = plans;
        this.defaultBudget = defaultBudget;
        this.budgets = budgets;
        this.time = time;
    }

    /** The budget of the subject of a request. */
    CompletableFuture<Budget> budget(Subject.Present subject, RequestView request) {
        if (plans.forEveryRequest()) {
            return ask(subject, request);
        }
        CompletableFuture<Budget> known = known(subject);
        if (known != null) {
            return known;
        }
        Answer answer = new Answer(ask(subject, request), time);
        remember(subject.text(), answer);
        return answer.budget;
    }

    /** The budget of a subject without a request. Unless it is known, the answer is not remembered: a request may lead to another. */
    CompletableFuture<Budget> budget(Subject.Present subject) {
        CompletableFuture<Budget> known = plans.forEveryRequest() ? null : known(subject);
        return known != null ? known : ask(subject, RequestView.none());
    }

    private @Nullable CompletableFuture<Budget> known(Subject.Present subject) {
        String text = subject.text();
        Answer known = young.get(text);
        if (known == null) {
            known = old.get(text);
            if (known != null) {
                remember(text, known);
            }
        }
        return known != null && known.holds(time.nowMicros()) ? known.budget : null;
    }

    private CompletableFuture<Budget> ask(Subject.Present subject, RequestView request) {
        return inTime(plan(subject, request))
                .thenApply(plan -> plan.map(this::budget).orElse(defaultBudget));
    }

    private CompletableFuture<Optional<Plan>> plan(Subject.Present subject, RequestView request) {
        try {
            return Objects.requireNonNull(plans.plan(subject, request), "the plan resolver returned null");
        } catch (Throwable e) {
            Fatal.rethrow(e);
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Completes with the answer, or with a failure after {@link #ANSWER_MICROS}; an answer that arrives later is ignored. */
    private <T> CompletableFuture<T> inTime(CompletableFuture<T> answer) {
        if (answer.isDone()) {
            return answer;
        }
        CompletableFuture<T> timely = new CompletableFuture<>();
        CompletableFuture<Void> alarm = time.after(ANSWER_MICROS);
        alarm.thenRun(() -> {
            if (!timely.isDone()) {
                timely.completeExceptionally(new StoreException(
                        StoreException.Reason.TIMEOUT, "the plan resolver did not answer within a second"));
            }
        });
        answer.whenComplete((plan, failure) -> {
            if (failure == null) {
                timely.complete(plan);
            } else {
                timely.completeExceptionally(failure);
            }
            alarm.complete(null); // completed, not cancelled: that would create exceptions with full stack traces
        });
        return timely;
    }

    @SuppressWarnings("ReferenceEquality") // only the generation that this thread has filled is replaced
    private void remember(String text, Answer answer) {
        ConcurrentHashMap<String, Answer> generation = young;
        generation.put(text, answer);
        if (generation.mappingCount() >= GENERATION) {
            synchronized (this) {
                if (generation == young) {
                    old = generation;
                    young = new ConcurrentHashMap<>();
                }
            }
        }
    }

    private Budget budget(Plan plan) {
        if (byPlan.size() >= GENERATION) {
            byPlan.clear(); // ledgers hold no state, so nothing is forgotten
        }
        return byPlan.computeIfAbsent(plan, budgets);
    }
}
