package io.headgate.spring.actuate;

import io.headgate.Decision;
import io.headgate.RateLimiter;
import io.headgate.StoreException;
import io.headgate.http.Checkpoint;
import io.headgate.http.Explanation;
import io.headgate.http.Rule;
import io.headgate.http.Subject;
import io.headgate.http.Subjects;
import io.headgate.http.subject.StandardSubjects;
import io.headgate.spring.RuleStore;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * The endpoint {@code ratelimits}: the rules in force, why a request meets the ones it meets, how somebody stands under one,
 * and a way to give somebody the full budget back, for which access must be unrestricted. It lists no keys: who is asked about must
 * be known. Nor does it show subjects that are never limited, since an API key is a secret.
 */
@Endpoint(id = "ratelimits", defaultAccess = Access.READ_ONLY)
public final class RateLimitsEndpoint {

    private static final String HIDDEN = "******";

    private final RuleStore rules;
    private final Subjects subjects;

    public RateLimitsEndpoint(RuleStore rules, Subjects subjects) {
        this.rules = rules;
        this.subjects = subjects;
    }

    /** The rules in force, or, given a method and a path, why such a request meets the rules it meets. */
    @ReadOperation
    public Object rules(@Nullable String method, @Nullable String path) {
        if (path != null) {
            return shown(rules.get().explain(method == null ? "GET" : method, path));
        }
        List<Rule> all = rules.get().checkpoints().stream()
                .map(point -> shown(point.rule()))
                .toList();
        return new InForce(all, rules.get().warnings());
    }

    private static Explanation shown(Explanation explanation) {
        return new Explanation(
                explanation.method(),
                explanation.path(),
                explanation.findings().stream()
                        .map(each ->
                                new Explanation.Finding(shown(each.rule()), each.role(), each.pattern(), each.why()))
                        .toList());
    }

    private static Rule shown(Rule rule) {
        return rule.withBypass(rule.bypass().stream()
                .map(entry -> StandardSubjects.isAddress(entry) ? entry : HIDDEN)
                .toList());
    }

    /**
     * How somebody stands under a rule, without spending anything: {@code /ratelimits/login?kind=ip&subject=10.0.0.1}.
     *
     * @param kind what the subject is, in the word of a rule; need not be said if the rule has only one
     * @throws StoreException if nobody knows, and the rule does not limit without the store
     */
    @ReadOperation
    public @Nullable Standing standing(@Selector String rule, @Nullable String kind, @Nullable String subject) {
        Checkpoint point = point(rule);
        if (point == null) {
            return null;
        }
        Subject.Present somebody = somebody(point.rule(), kind, subject);
        Decision decision = limiter(point, somebody).peek(somebody.text());
        if (decision instanceof Decision.Unavailable unknown) {
            throw unknown.cause();
        }
        return Standing.of(decision);
    }

    /**
     * Gives somebody the full budget of a rule back; false if there is no such rule.
     *
     * @throws StoreException if the store is away, and nothing was given back
     */
    @DeleteOperation
    public boolean reset(@Selector String rule, @Nullable String kind, @Nullable String subject) {
        Checkpoint point = point(rule);
        if (point == null) {
            return false;
        }
        Subject.Present somebody = somebody(point.rule(), kind, subject);
        limiter(point, somebody).reset(somebody.text());
        return true;
    }

    private @Nullable Checkpoint point(String rule) {
        for (Checkpoint point : rules.get().checkpoints()) {
            if (point.rule().name().equals(rule)) {
                return point;
            }
        }
        return null;
    }

    /** Whom requests of theirs are limited as. */
    private Subject.Present somebody(Rule rule, @Nullable String kind, @Nullable String subject) {
        try {
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
        } catch (IllegalArgumentException e) {
            String reason = String.valueOf(e.getMessage());
            throw new InvalidEndpointRequestException(reason, reason, e);
        }
    }

    private static String onlyWord(Rule rule) {
        if (rule.subject().size() != 1) {
            throw new IllegalArgumentException("kind must say which of " + rule.subject() + " the subject is");
        }
        return rule.subject().get(0);
    }

    private static RateLimiter limiter(Checkpoint point, Subject.Present somebody) {
        try {
            return point.limiterFor(somebody).join();
        } catch (CompletionException | CancellationException e) {
            throw e.getCause() instanceof StoreException known
                    ? known
                    : new StoreException("the plan resolver failed", e); // what it says may name the subject
        }
    }

    /** The rules, and what is probably not meant about them. */
    public record InForce(List<Rule> rules, List<String> warnings) {

        public InForce {
            rules = List.copyOf(rules);
            warnings = List.copyOf(warnings);
        }
    }

    /**
     * How somebody stands.
     *
     * @param degraded whether the store is away, and this is what the process says without it
     */
    public record Standing(boolean allowed, long remaining, String resetAfter, String limit, boolean degraded) {

        static Standing of(Decision decision) {
            return new Standing(
                    decision.allowed(),
                    decision.remaining(),
                    decision.resetAfter().toString(),
                    decision.limit().toString(),
                    decision.degraded());
        }
    }
}
