package io.headgate.spring.cloud.gateway;

import io.headgate.FailurePolicy;
import io.headgate.Spelling;
import io.headgate.http.BoundRule;
import io.headgate.http.InvalidRulesException;
import io.headgate.http.Rule;
import io.headgate.http.RuleSet;
import io.headgate.http.RuleValidation;
import io.headgate.http.rule.RuleCompiler;
import io.headgate.spring.RuleReferences;
import io.headgate.spring.RuleStore;
import io.headgate.spring.boot.autoconfigure.InvalidSettingException;
import io.headgate.spring.method.LiveRule;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Turns what routes say into limits, or throws an exception that says what is wrong with it. */
public final class RouteLimits implements RuleReferences {

    private final RuleStore rules;
    private final RuleCompiler compiler;
    private final FailurePolicy onStoreFailure;
    private final Set<String> named = ConcurrentHashMap.newKeySet();

    public RouteLimits(RuleStore rules, RuleCompiler compiler, FailurePolicy onStoreFailure) {
        this.rules = rules;
        this.compiler = compiler;
        this.onStoreFailure = onStoreFailure;
    }

    /**
     * The limit of a filter.
     *
     * @param route the id of the route
     * @throws IllegalArgumentException if the arguments are invalid
     */
    public RouteLimit of(String route, RateLimitArguments written) {
        String limit = written.getLimit();
        if (limit.isEmpty()) {
            throw new IllegalArgumentException("needs a limit such as 100/min, or the name of a rule");
        }
        String place = place(route, written);
        if (!Character.isDigit(limit.charAt(0)) || rules.get().rule(limit) != null) {
            LiveRule rule = new LiveRule(place, rules, set -> named(limit, set));
            rejectBesideRule(written);
            named.add(limit);
            return new RouteLimit(route, place, false, rule);
        }
        BoundRule own = own(budget(route, written.getName()), written);
        return new RouteLimit(route, place, true, new LiveRule(place, rules, set -> unlessTaken(own, set)));
    }

    /** As {@link #of}, where nobody else says which route it is. */
    RouteLimit read(String route, RateLimitArguments written) {
        try {
            return of(route, written);
        } catch (IllegalArgumentException e) {
            throw new InvalidSettingException(List.of(place(route, written) + ": " + e.getMessage()));
        }
    }

    private static String place(String route, RateLimitArguments written) {
        return "the filter " + written + " of route '" + route + "'";
    }

    @Override
    public Set<String> names() {
        return Set.copyOf(named);
    }

    private static void rejectBesideRule(RateLimitArguments written) {
        if (!written.getSubject().isEmpty() || !written.getName().isEmpty() || written.getCost() != 1) {
            throw new IllegalArgumentException(
                    "rule '" + written.getLimit()
                            + "' has a subject, a name and a cost of its own; write nothing beside it, or a limit such as 100/min");
        }
    }

    private static @Nullable BoundRule named(String name, RuleSet set) {
        if (set.rule(name) == null) {
            List<String> names = set.rules().stream().map(Rule::name).toList();
            throw new IllegalArgumentException(
                    "'" + name + "' is neither a limit such as 100/min nor a rule; there are " + names
                            + Spelling.hint(name, names));
        }
        return set.boundRule(name);
    }

    private BoundRule own(String name, RateLimitArguments written) {
        List<String> subjects = RateLimitArguments.list(written.getSubject().isEmpty() ? "ip" : written.getSubject());
        for (String words : subjects) {
            for (String word : words.split("\\+", -1)) {
                if (word.trim().equals("route")) {
                    throw new IllegalArgumentException("subject 'route' is what the filter limits anyway;"
                            + " write global for all clients together, or another subject such as ip");
                }
            }
        }
        Rule rule = Rule.named(name)
                .subject(subjects.toArray(String[]::new))
                .limits(RateLimitArguments.list(written.getLimit()).toArray(String[]::new))
                .cost(written.getCost())
                .onStoreFailure(onStoreFailure)
                .build();
        try {
            return compiler.compile(List.of(rule)).boundRules().get(0);
        } catch (InvalidRulesException e) {
            throw new IllegalArgumentException(
                    e.problems().stream()
                            .map(problem -> problem.replace("rule '" + name + "': ", ""))
                            .collect(Collectors.joining("; ")),
                    e);
        }
    }

    private static BoundRule unlessTaken(BoundRule own, RuleSet set) {
        if (set.rule(own.name()) != null) {
            throw new IllegalArgumentException("the name '" + own.name()
                    + "' belongs to a rule, and a name identifies one budget; rename the rule");
        }
        return own;
    }

    /** The name of a budget. Two routes never have the same, whatever their ids, nor has a route that of a shared budget. */
    private static String budget(String route, String shared) {
        if (!shared.isEmpty()) {
            String name = "routes " + shared;
            if (!RuleValidation.isName(name)) {
                throw new IllegalArgumentException("name '" + shared + "': " + RuleValidation.NAME);
            }
            return name;
        }
        return named("route", route);
    }

    /** The name of what belongs to a route. An id that is no name for a rule, since it can be any text, is replaced by a digest. */
    static String named(String kind, String route) {
        String name = kind + ' ' + route;
        return RuleValidation.isName(name) ? name : kind + "-sha256 " + digest(route);
    }

    private static String digest(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e); // every Java platform has SHA-256
        }
    }
}
