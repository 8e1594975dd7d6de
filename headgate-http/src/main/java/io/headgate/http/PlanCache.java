package io.headgate.http;

import io.headgate.Plan;
import io.headgate.RateLimiter;
import io.headgate.StoreException;
import io.headgate.TimeSource;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Caches the limiter of each subject, so that the plan resolver is called once a minute per subject and not for every request.
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
    private final RateLimiter defaultLimiter;
    private final Function<Plan, RateLimiter> limiters;
    private final TimeSource time;
    private final ConcurrentHashMap<Plan, RateLimiter> byPlan = new ConcurrentHashMap<>();

    private volatile ConcurrentHashMap<String, Answer> young = new ConcurrentHashMap<>();
    private volatile ConcurrentHashMap<String, Answer> old = new ConcurrentHashMap<>();

    /** The answer of a resolver. Its age counts from the call, and anew from when a pending answer arrives. */
    private static final class Answer {

        final CompletableFuture<RateLimiter> limiter;
        private volatile long sinceMicros;

        Answer(CompletableFuture<RateLimiter> limiter, TimeSource time) {
            this.sinceMicros = time.nowMicros(); // read after the call, which may have blocked
            this.limiter = limiter.isDone() // the dependent future completes after sinceMicros is set
                    ? limiter
                    : limiter.whenComplete((known, failure) -> sinceMicros = time.nowMicros());
        }

        boolean holds(long nowMicros) {
            long age = nowMicros - sinceMicros;
            return age >= 0 && age < (limiter.isCompletedExceptionally() ? FAILURE_KEPT_MICROS : KEPT_MICROS);
        }
    }

    PlanCache(PlanResolver plans, RateLimiter defaultLimiter, Function<Plan, RateLimiter> limiters, TimeSource time) {
        this.plans = plans;
        this.defaultLimiter = defaultLimiter;
        this.limiters = limiters;
        this.time = time;
    }

    /** The limiter of the subject of a request. */
    CompletableFuture<RateLimiter> limiter(Subject.Present subject, RequestView request) {
        if (plans.forEveryRequest()) {
            return ask(subject, request);
        }
        CompletableFuture<RateLimiter> known = known(subject);
        if (known != null) {
            return known;
        }
        Answer answer = new Answer(ask(subject, request), time);
        remember(subject.text(), answer);
        return answer.limiter;
    }

    /** The limiter of a subject without a request. Unless it is known, the answer is not remembered: a request may lead to another. */
    CompletableFuture<RateLimiter> limiter(Subject.Present subject) {
        CompletableFuture<RateLimiter> known = plans.forEveryRequest() ? null : known(subject);
        return known != null ? known : ask(subject, RequestView.none());
    }

    private @Nullable CompletableFuture<RateLimiter> known(Subject.Present subject) {
        String text = subject.text();
        Answer known = young.get(text);
        if (known == null) {
            known = old.get(text);
            if (known != null) {
                remember(text, known);
            }
        }
        return known != null && known.holds(time.nowMicros()) ? known.limiter : null;
    }

    private CompletableFuture<RateLimiter> ask(Subject.Present subject, RequestView request) {
        return inTime(plan(subject, request))
                .thenApply(plan -> plan.map(this::limiter).orElse(defaultLimiter));
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

    private RateLimiter limiter(Plan plan) {
        if (byPlan.size() >= GENERATION) {
            byPlan.clear(); // limiters hold no state, so nothing is forgotten
        }
        return byPlan.computeIfAbsent(plan, limiters);
    }
}
