package io.headgate.spring.boot.actuate;

import io.headgate.RateLimiter;
import io.headgate.StoreException;
import io.headgate.http.BoundRule;
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

/** Finds the budget of a subject under a rule or an annotation, from the parameters of an endpoint call. */
record Budgets(RuleStore rules, AnnotatedLimits annotations, Subjects subjects) {

    /** The kind of the subjects that the {@code key} of an annotation yields. */
    private static final String KEY = "key";

    /** The kind of what such a key falls back to for want of a header. */
    private static final String KEY_WITHOUT_HEADER = "key-without-header";

    private static final String EVERYBODY = "global";

    /** The subject of an annotation without a key that is checked on the request. */
    private static final List<String> OF_ANNOTATION = List.of("ip");

    /** A subject, and the bound rule that limits it. */
    record Budget(BoundRule rule, Subject.Present somebody) {

        /** @throws StoreException if the plan of the subject cannot be determined */
        RateLimiter limiter() {
            try {
                return rule.limiterFor(somebody).join();
            } catch (CompletionException | CancellationException e) {
                throw e.getCause() instanceof StoreException known
                        ? known
                        : new StoreException("the plan resolver failed", e); // its own message may contain the subject
            }
        }
    }

    /**
     * The budget of a subject; {@code null} if neither a rule nor an annotation has that name.
     *
     * @param kind the kind of the subject, as rules write it, or {@code key}; optional if there is only one kind
     * @throws InvalidEndpointRequestException if no subject can have such a budget
     */
    @Nullable
    Budget find(String name, @Nullable String kind, @Nullable String subject) {
        try {
            List<Annotated> annotated = annotations.all().stream()
                    .filter(each -> each.rule().name().equals(name))
                    .toList();
            BoundRule onRequest = onRequest(name, annotated);
            Annotated onCall = onCall(annotated, kind, onRequest == null);
            if (onCall != null) {
                return new Budget(onCall.rule(), called(onCall, kind, subject));
            }
            if (onRequest == null) {
                if (annotated.isEmpty()) {
                    return null;
                }
                throw new IllegalArgumentException("'" + name + "' has no budgets of kind '" + kind + "'; use kind '"
                        + KEY + "' if its annotation has a key, and otherwise no kind");
            }
            return new Budget(onRequest, requesting(name, kind, subject));
        } catch (IllegalArgumentException e) {
            String reason = String.valueOf(e.getMessage());
            throw new InvalidEndpointRequestException(reason, reason, e);
        }
    }

    private @Nullable BoundRule onRequest(String name, List<Annotated> annotated) {
        BoundRule rule = rules.get().boundRule(name);
        if (rule != null) {
            return rule;
        }
        return annotated.stream()
                .filter(Annotated::onRequest)
                .map(Annotated::rule)
                .findFirst()
                .orElse(null);
    }

    /** @param only whether no request is limited under that name, so that the question can only be about calls */
    private static @Nullable Annotated onCall(List<Annotated> annotated, @Nullable String kind, boolean only) {
        return annotated.stream()
                .filter(each -> !each.onRequest())
                .filter(each -> kind == null ? only : isKey(kind) ? hasKey(each) : only && !hasKey(each))
                .findFirst()
                .orElse(null);
    }

    private static boolean isKey(String kind) {
        return kind.equals(KEY) || kind.equals(KEY_WITHOUT_HEADER);
    }

    private static boolean hasKey(Annotated annotated) {
        return !annotated.key().isEmpty();
    }

    private static Subject.Present called(Annotated annotated, @Nullable String kind, @Nullable String subject) {
        if (subject == null && kind == null && !hasKey(annotated)) {
            return new Subject.Present(EVERYBODY, "*");
        }
        if (subject == null || subject.isEmpty()) {
            throw new IllegalArgumentException("the parameter 'subject' is required: it says whose budget is meant");
        }
        return new Subject.Present(kind != null ? kind : hasKey(annotated) ? KEY : EVERYBODY, subject);
    }

    /** The subject as requests resolve it, such as the block of an IPv6 address. */
    private Subject.Present requesting(String name, @Nullable String kind, @Nullable String subject) {
        if (subject == null) {
            throw new IllegalArgumentException("the parameter 'subject' is required: it says whose budget is meant");
        }
        Rule rule = rules.get().rule(name);
        List<String> words = rule == null ? OF_ANNOTATION : rule.subject();
        String word = kind == null ? onlyWord(words) : kind;
        Subject.Present somebody = subjects.named(word, subject);
        if (!subjects.finds(somebody, words, rule == null ? Rule.Missing.FALL_BACK : rule.missing())) {
            throw new IllegalArgumentException(
                    "rule '" + name + "' does not limit by '" + word + "'; it limits by " + words);
        }
        return somebody;
    }

    private static String onlyWord(List<String> words) {
        if (words.size() != 1) {
            throw new IllegalArgumentException(
                    "the parameter 'kind' is required: it says which of " + words + " the subject is");
        }
        return words.get(0);
    }
}
