package io.headgate.spring.actuate;

import io.headgate.RateLimiter;
import io.headgate.StoreException;
import io.headgate.http.Checkpoint;
import io.headgate.http.Rule;
import io.headgate.http.Subject;
import io.headgate.http.Subjects;
import io.headgate.spring.AnnotatedLimits;
import io.headgate.spring.AnnotatedLimits.Annotated;
import io.headgate.spring.RuleStore;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;

/** Finds the budget that somebody has under a rule or an annotation, in the words of whoever asks. */
record Budgets(RuleStore rules, AnnotatedLimits annotations, Subjects subjects) {

    /** The kind of those whom the {@code key} of an annotation names. */
    private static final String KEY = "key";

    private static final String EVERYBODY = "global";

    /** Somebody, and where they are limited. */
    record Budget(Checkpoint point, Subject.Present somebody) {

        /** @throws StoreException if their plan cannot be had */
        RateLimiter limiter() {
            try {
                return point.limiterFor(somebody).join();
            } catch (CompletionException | CancellationException e) {
                throw e.getCause() instanceof StoreException known
                        ? known
                        : new StoreException("the plan resolver failed", e); // what it says may name the subject
            }
        }
    }

    /**
     * The budget of somebody; {@code null} if neither a rule nor an annotation is called so.
     *
     * @param kind what the subject is, in the word of a rule, or {@code key}; need not be said if there is only one
     * @throws InvalidEndpointRequestException if nobody has such a budget
     */
    @Nullable
    Budget find(String name, @Nullable String kind, @Nullable String subject) {
        try {
            List<Annotated> annotated = annotations.all().stream()
                    .filter(each -> each.point().rule().name().equals(name))
                    .toList();
            Checkpoint onRequest = onRequest(name, annotated);
            Annotated onCall = onCall(annotated, kind, onRequest == null);
            if (onCall != null) {
                return new Budget(onCall.point(), called(onCall, kind, subject));
            }
            if (onRequest == null) {
                if (annotated.isEmpty()) {
                    return null;
                }
                throw new IllegalArgumentException(
                        "'" + name + "' limits nobody by '" + kind + "', but by '" + KEY + "'");
            }
            return new Budget(onRequest, requesting(onRequest.rule(), kind, subject));
        } catch (IllegalArgumentException e) {
            String reason = String.valueOf(e.getMessage());
            throw new InvalidEndpointRequestException(reason, reason, e);
        }
    }

    private @Nullable Checkpoint onRequest(String name, List<Annotated> annotated) {
        for (Checkpoint point : rules.get().checkpoints()) {
            if (point.rule().name().equals(name)) {
                return point;
            }
        }
        return annotated.stream()
                .filter(Annotated::onRequest)
                .map(Annotated::point)
                .findFirst()
                .orElse(null);
    }

    /** @param only whether no request is limited so, and the question can only be about calls */
    private static @Nullable Annotated onCall(List<Annotated> annotated, @Nullable String kind, boolean only) {
        return annotated.stream()
                .filter(each -> !each.onRequest())
                .filter(each -> kind == null ? only : kind.equals(KEY) ? hasKey(each) : only && !hasKey(each))
                .findFirst()
                .orElse(null);
    }

    private static boolean hasKey(Annotated annotated) {
        return !annotated.key().isEmpty();
    }

    private static Subject.Present called(Annotated annotated, @Nullable String kind, @Nullable String subject) {
        if (subject == null && kind == null && !hasKey(annotated)) {
            return new Subject.Present(EVERYBODY, "*");
        }
        if (subject == null || subject.isEmpty()) {
            throw new IllegalArgumentException("subject must say who is asked about");
        }
        return new Subject.Present(kind != null ? kind : hasKey(annotated) ? KEY : EVERYBODY, subject);
    }

    /** Whom requests of theirs are limited as. */
    private Subject.Present requesting(Rule rule, @Nullable String kind, @Nullable String subject) {
        if (subject == null) {
            throw new IllegalArgumentException("subject must say who is asked about");
        }
        String word = kind == null ? onlyWord(rule) : kind;
        Subject.Present somebody = subjects.named(word, subject);
        if (!subjects.finds(somebody, rule.subject(), rule.missing())) {
            throw new IllegalArgumentException(
                    "rule '" + rule.name() + "' limits nobody by '" + word + "', but by " + rule.subject());
        }
        return somebody;
    }

    private static String onlyWord(Rule rule) {
        if (rule.subject().size() != 1) {
            throw new IllegalArgumentException("kind must say which of " + rule.subject() + " the subject is");
        }
        return rule.subject().get(0);
    }
}
