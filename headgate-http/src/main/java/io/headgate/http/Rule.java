package io.headgate.http;

import io.headgate.FailurePolicy;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Defines which requests are limited, by which subject, to which limits, and what happens when the store fails.
 *
 * <pre>{@code
 * Rule.named("login").paths("/api/login").methods("POST").subject("ip").limits("5/min", "20/h").build()
 * }</pre>
 *
 * <p>A rule holds its settings as they were written. They are not checked here but with the whole set, so that every mistake is
 * reported at once.
 *
 * @param name the name of the rule; it is part of the key, so a renamed rule starts with new budgets
 * @param paths Ant patterns of the paths that the rule matches; if empty, it matches no request and only methods use its budget
 * @param exclude Ant patterns of the paths that it does not match after all
 * @param methods the methods that it matches, all if empty; {@code GET} includes {@code HEAD}
 * @param priority the rule with the higher priority comes first; with equal priorities, the one with the more specific pattern
 * @param subject who is limited: the first of these that the request has
 * @param limits the limits in their text form, granted all or nothing
 * @param algorithm the algorithm of every limit that names none; {@code null} for the default of each limit
 * @param cost how many permits a request takes
 * @param costResolver the name of the {@link CostResolver} that determines the cost instead; may be {@code null}
 * @param planResolver the name of the {@link PlanResolver} that determines the limits of a subject; may be {@code null}
 * @param missing what happens to a request without the subject
 * @param bypass addresses, blocks of addresses and values of the subject that are never limited
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

    /** A builder with the settings of this rule. */
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

    /** What the rule does, in a line: {@code Rule[login: POST /api/login, 5/min + 20/h per ip]}. Leaves out the bypass, which may hold secrets. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("Rule[").append(name).append(": ");
        if (!methods.isEmpty()) {
            text.append(String.join("|", methods)).append(' ');
        }
        text.append(String.join(", ", paths));
        if (!exclude.isEmpty()) {
            text.append(" except ").append(String.join(", ", exclude));
        }
        text.append(", ").append(String.join(" + ", limits));
        text.append(" per ").append(String.join(" or ", subject));
        if (algorithm != null) {
            text.append(", ").append(algorithm);
        }
        if (behavior != Behavior.ENFORCE) {
            text.append(", ").append(behavior.name().toLowerCase(Locale.ROOT));
        }
        return text.append(']').toString();
    }

    /** What happens to a request without the subject. */
    public enum Missing {
        /** The request is limited by its address; all requests without an address share one budget. */
        FALL_BACK,
        /** The request is not limited by this rule. */
        SKIP,
        /** The request is denied. */
        DENY
    }

    /** Whether a rule gives way to other rules that match. */
    public enum Match {
        /** Of the matching rules with this setting, only the first is checked. */
        FIRST,
        /** Checked whenever it matches, in addition to other rules. */
        ALL
    }

    /** What a rule does with its decisions. */
    public enum Behavior {
        /** Enforces them. */
        ENFORCE,
        /** Decides on a budget of its own and reports the decisions, but lets every request pass. */
        SHADOW,
        /** Makes none: the rule is disabled. */
        OFF
    }

    /** When a request is checked by a rule. */
    public enum Stage {
        /** Before everything else, including authentication: the principal and the route are not known yet. */
        FILTER,
        /** Right before the handler. */
        HANDLER
    }

    public static Builder named(String name) {
        return new Builder(name);
    }

    /** Builds a rule. The default subject is {@code ip}. */
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
