package io.headgate.spring.method;

import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.spring.RateLimit;
import java.util.Arrays;
import java.util.stream.Stream;
import org.springframework.boot.convert.DurationStyle;

/** The limits that an annotation spells out. */
final class AnnotatedPlan {

    private static final long LIMIT = 100;
    private static final String WINDOW = "60s";

    private AnnotatedPlan() {}

    /** An annotation that names a rule takes everything from there but who is limited, and what a call costs. */
    static void refuseBesideRule(RateLimit annotation) {
        refuse("value", annotation.value().length > 0);
        refuse("limit", annotation.limit() != LIMIT);
        refuse("window", !annotation.window().equals(WINDOW));
        refuse("algorithm", !annotation.algorithm().isEmpty());
        refuse("name", !annotation.name().isEmpty());
    }

    private static void refuse(String attribute, boolean said) {
        if (said) {
            throw new IllegalArgumentException(attribute + " means nothing beside rule: the rule says it");
        }
    }

    static Plan of(RateLimit annotation) {
        boolean numbers = annotation.limit() != LIMIT || !annotation.window().equals(WINDOW);
        if (annotation.value().length > 0 && numbers) {
            throw new IllegalArgumentException(
                    "either " + Arrays.toString(annotation.value()) + " or limit and window");
        }
        Stream<Limit> limits = annotation.value().length > 0
                ? Arrays.stream(annotation.value()).map(Limit::parse)
                : Stream.of(window(annotation.limit(), annotation.window()));
        return new Plan(
                limits.map(limit -> annotation.algorithm().isEmpty() ? limit : limit.using(annotation.algorithm()))
                        .toList());
    }

    /** A window as our limits are written, or as ISO 8601 has durations. Either has a unit: a number alone is no window. */
    private static Limit window(long permits, String window) {
        try {
            return Limit.parse(permits + " per " + window);
        } catch (IllegalArgumentException e) {
            try {
                return Limit.of(permits).per(DurationStyle.ISO8601.parse(window));
            } catch (IllegalArgumentException ignored) {
                throw e;
            }
        }
    }
}
