package io.headgate.spring.method;

import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.spring.RateLimit;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The limits that an annotation itself specifies. */
final class AnnotatedPlan {

    private static final long LIMIT = 100;
    private static final String WINDOW = "60s";

    private AnnotatedPlan() {}

    /** Rejects attributes that the rule determines if the annotation names one. Only the subject and the cost may differ from it. */
    static void rejectBesideRule(RateLimit annotation) {
        reject("value", annotation.value().length > 0);
        reject("limit", annotation.limit() != LIMIT);
        reject("window", !annotation.window().equals(WINDOW));
        reject("algorithm", !annotation.algorithm().isEmpty());
        reject("name", !annotation.name().isEmpty());
    }

    private static void reject(String attribute, boolean said) {
        if (said) {
            throw new IllegalArgumentException(
                    attribute + " cannot be combined with rule, which determines it; only key, cost and fallback can");
        }
    }

    /** @param usualAlgorithm the algorithm of limits that leave the choice open, if the annotation names none */
    static Plan of(RateLimit annotation, String usualAlgorithm) {
        boolean numbers = annotation.limit() != LIMIT || !annotation.window().equals(WINDOW);
        if (annotation.value().length > 0 && numbers) {
            throw new IllegalArgumentException("the limits are given twice: as " + Arrays.toString(annotation.value())
                    + " and as limit and window; use either the one or the other");
        }
        String algorithm = annotation.algorithm().isEmpty() ? null : annotation.algorithm();
        Stream<Limit> limits = annotation.value().length > 0
                ? Arrays.stream(annotation.value()).map(text -> Limit.parse(text, algorithm, usualAlgorithm))
                : Stream.of(window(annotation.limit(), annotation.window(), algorithm, usualAlgorithm));
        return new Plan(limits.toList());
    }

    /** Parses a window in the notation of limits or as an ISO 8601 duration. Both have a unit: a number alone is not a window. */
    private static Limit window(long permits, String window, @Nullable String algorithm, String usualAlgorithm) {
        try {
            return Limit.parse(permits + " per " + window, algorithm, usualAlgorithm);
        } catch (IllegalArgumentException e) {
            try {
                return Limit.of(permits)
                        .per(Duration.parse(window))
                        .using(algorithm == null ? usualAlgorithm : algorithm);
            } catch (IllegalArgumentException | DateTimeParseException ignored) {
                throw e;
            }
        }
    }
}
