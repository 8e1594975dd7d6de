package io.headgate.http;

import io.headgate.FailurePolicy;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which requests are limited, who counts as one subject, to which limits, and what happens when the store fails.
 *
 * <pre>{@code
 * Rule.named("login").paths("/api/login").methods("POST").subject("ip").limits("5/min", "20/h").build()
 * }</pre>
 *
 * <p>A rule is what somebody wrote: its words are not checked here but with the whole set, so that every mistake is reported
 * at once.
 *
 * @param name what the rule is called; it names the budget, so a renamed rule starts a new one
 * @param paths Ant patterns of the requests it is about
 * @param exclude patterns of those it is not about after all
 * @param methods the methods it is about, all if empty; {@code GET} includes {@code HEAD}
 * @param priority the higher one comes first; among equals the more specific pattern does
 * @param subject who is limited: the first of these that is present
 * @param limits in their text form, granted all or nothing
 * @param algorithm of every limit; {@code null} for each limit's default
 * @param cost how many permits a request takes
 * @param costResolver the name of the {@link CostResolver} to ask instead
 * @param planResolver the name of the {@link PlanResolver} to ask for the limits of a subject
 * @param missing what becomes of a request without the subject
 * @param bypass addresses, blocks of addresses and subjects that are never limited
 */
public record Rule(
        String name,
        List<String> paths,
        List<String> exclude,
        List<String> methods,
        int priority,
        List<String> subject,
        List<String> limits,
        @Nullable String algorithm,
        long cost,
        @Nullable String costResolver,
        @Nullable String planResolver,
        Missing missing,
        Match match,
        Behavior behavior,
        List<String> bypass,
        FailurePolicy onStoreFailure,
        Stage stage) {

    public Rule {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(missing, "missing");
        Objects.requireNonNull(match, "match");
        Objects.requireNonNull(behavior, "behavior");
        Objects.requireNonNull(onStoreFailure, "onStoreFailure");
        Objects.requireNonNull(stage, "stage");
        paths = List.copyOf(paths);
        exclude = List.copyOf(exclude);
        methods = List.copyOf(methods);
        subject = List.copyOf(subject);
        limits = List.copyOf(limits);
        bypass = List.copyOf(bypass);
    }

    /** This rule, to be written otherwise. */
    public Builder toBuilder() {
        Builder builder = new Builder(name);
        builder.paths = paths;
        builder.exclude = exclude;
        builder.methods = methods;
        builder.priority = priority;
        builder.subject = subject;
        builder.limits = limits;
        builder.algorithm = algorithm;
        builder.cost = cost;
        builder.costResolver = costResolver;
        builder.planResolver = planResolver;
        builder.missing = missing;
        builder.match = match;
        builder.behavior = behavior;
        builder.bypass = bypass;
        builder.onStoreFailure = onStoreFailure;
        builder.stage = stage;
        return builder;
    }

    /** What becomes of a request without the subject. */
    public enum Missing {
        /** It is limited by its address; requests without one share one budget. */
        FALL_BACK,
        /** It is not limited by this rule. */
        SKIP,
        /** It is refused. */
        DENY
    }

    /** Whether a rule gives way to others that match. */
    public enum Match {
        /** Only the first of these that matches is checked. */
        FIRST,
        /** Checked whenever it matches, beside the others. */
        ALL
    }

    /** What a rule does with its decisions. */
    public enum Behavior {
        /** Holds requests to them. */
        ENFORCE,
        /** Decides on a budget of its own, reports, and lets everything pass. */
        SHADOW,
        /** Nothing: as if the rule were not there. */
        OFF
    }

    /** When a request meets a rule. */
    public enum Stage {
        /** In front of everything, authentication too: nobody knows the principal or the route yet. */
        FILTER,
        /** Right before the handler. */
        HANDLER
    }

    public static Builder named(String name) {
        return new Builder(name);
    }

    /** A rule being written. Without further words it limits each address. */
    public static final class Builder {

        private final String name;
        private List<String> paths = List.of();
        private List<String> exclude = List.of();
        private List<String> methods = List.of();
        private int priority;
        private List<String> subject = List.of("ip");
        private List<String> limits = List.of();
        private @Nullable String algorithm;
        private long cost = 1;
        private @Nullable String costResolver;
        private @Nullable String planResolver;
        private Missing missing = Missing.FALL_BACK;
        private Match match = Match.FIRST;
        private Behavior behavior = Behavior.ENFORCE;
        private List<String> bypass = List.of();
        private FailurePolicy onStoreFailure = FailurePolicy.LOCAL;
        private Stage stage = Stage.HANDLER;

        private Builder(String name) {
            this.name = name;
        }

        public Builder paths(String... patterns) {
            paths = List.of(patterns);
            return this;
        }

        public Builder exclude(String... patterns) {
            exclude = List.of(patterns);
            return this;
        }

        public Builder methods(String... methods) {
            this.methods = List.of(methods);
            return this;
        }

        public Builder priority(int priority) {
            this.priority = priority;
            return this;
        }

        public Builder subject(String... words) {
            subject = List.of(words);
            return this;
        }

        public Builder limits(String... limits) {
            this.limits = List.of(limits);
            return this;
        }

        public Builder algorithm(String algorithm) {
            this.algorithm = algorithm;
            return this;
        }

        public Builder cost(long cost) {
            this.cost = cost;
            return this;
        }

        public Builder costResolver(String name) {
            costResolver = name;
            return this;
        }

        public Builder planResolver(String name) {
            planResolver = name;
            return this;
        }

        public Builder missing(Missing missing) {
            this.missing = missing;
            return this;
        }

        public Builder match(Match match) {
            this.match = match;
            return this;
        }

        public Builder behavior(Behavior behavior) {
            this.behavior = behavior;
            return this;
        }

        public Builder bypass(String... entries) {
            bypass = List.of(entries);
            return this;
        }

        public Builder onStoreFailure(FailurePolicy policy) {
            onStoreFailure = policy;
            return this;
        }

        public Builder stage(Stage stage) {
            this.stage = stage;
            return this;
        }

        public Rule build() {
            return new Rule(
                    name,
                    paths,
                    exclude,
                    methods,
                    priority,
                    subject,
                    limits,
                    algorithm,
                    cost,
                    costResolver,
                    planResolver,
                    missing,
                    match,
                    behavior,
                    bypass,
                    onStoreFailure,
                    stage);
        }
    }
}
