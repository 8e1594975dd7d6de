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

/**
 * Remembers which limiter a subject has, so that a resolver is asked once a minute and not once a request.
 *
 * <p>Bounded by two generations: when the young one is full it becomes the old one, and the old one is dropped. Whoever is
 * asked for again moves to the young one, so a flood of new subjects costs others a question at most.
 */
final class PlanCache {

    static final int GENERATION = 10_000;
    static final long KEPT_MICROS = 60_000_000;

    /** A resolver that fails is left alone for a moment, not asked by every request. */
    static final long FAILURE_KEPT_MICROS = 1_000_000;

    /** Whoever waits for a resolver waits no longer than this. */
    static final long ANSWER_MICROS = 1_000_000;

    private final PlanResolver plans;
    private final RateLimiter usual;
    private final Function<Plan, RateLimiter> limiters;
    private final TimeSource time;
    private final ConcurrentHashMap<Plan, RateLimiter> byPlan = new ConcurrentHashMap<>();

    private volatile ConcurrentHashMap<String, Answer> young = new ConcurrentHashMap<>();
    private volatile ConcurrentHashMap<String, Answer> old = new ConcurrentHashMap<>();

    /** What a resolver said, or will say; its time runs anew from when it has. */
    private static final class Answer {

        final CompletableFuture<RateLimiter> limiter;
        private volatile long sinceMicros;

        Answer(CompletableFuture<RateLimiter> limiter, TimeSource time) {
            this.sinceMicros = time.nowMicros(); // later than the question, if the resolver has held the thread
            this.limiter = limiter.isDone() // else nobody hears of it before its time runs
                    ? limiter
                    : limiter.whenComplete((known, failure) -> sinceMicros = time.nowMicros());
        }

        boolean holds(long nowMicros) {
            long age = nowMicros - sinceMicros;
            return age >= 0 && age < (limiter.isCompletedExceptionally() ? FAILURE_KEPT_MICROS : KEPT_MICROS);
        }
    }

    PlanCache(PlanResolver plans, RateLimiter usual, Function<Plan, RateLimiter> limiters, TimeSource time) {
        this.plans = plans;
        this.usual = usual;
        this.limiters = limiters;
        this.time = time;
    }

    CompletableFuture<RateLimiter> limiter(Subject.Present subject) {
        String text = subject.text();
        long now = time.nowMicros();
        Answer known = young.get(text);
        if (known == null) {
            known = old.get(text);
            if (known != null) {
                remember(text, known);
            }
        }
        if (known != null && known.holds(now)) {
            return known.limiter;
        }
        CompletableFuture<RateLimiter> asked =
                inTime(ask(subject)).thenApply(plan -> plan.map(this::limiter).orElse(usual));
        Answer answer = new Answer(asked, time);
        remember(text, answer);
        return answer.limiter;
    }

    private CompletableFuture<Optional<Plan>> ask(Subject.Present subject) {
        try {
            return Objects.requireNonNull(plans.plan(subject), "the plan resolver answered null");
        } catch (Throwable e) {
            Fatal.passOn(e);
            return CompletableFuture.failedFuture(e);
        }
    }

    /** The answer if it comes in time, else a failure; what comes later is ignored. */
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
            alarm.complete(null); // cancelled, it would make exceptions with all their stacks
        });
        return timely;
    }

    @SuppressWarnings("ReferenceEquality") // the very generation that was filled
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
