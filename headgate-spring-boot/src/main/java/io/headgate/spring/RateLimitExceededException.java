package io.headgate.spring;

import io.headgate.Decision;
import io.headgate.http.Rule;
import io.headgate.http.Verdict;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** A method was not called because a {@link RateLimit} refused it. In a web application it becomes the usual refusal. */
public final class RateLimitExceededException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Verdict verdict;

    public RateLimitExceededException(Verdict refusal) {
        super(message(refusal));
        this.verdict = refusal;
    }

    /** For logs: clients are told in other words, and of fewer things. */
    private static String message(Verdict refusal) {
        Rule rule = refusal.rule();
        Decision decision = refusal.decision();
        if (rule == null || decision == null) {
            return "refused: " + refusal;
        }
        String limit = "rate limit '" + rule.name() + "' of " + decision.limit().text();
        if (decision instanceof Decision.Denied denied) {
            return limit + " exceeded; retry after " + denied.retryAfter();
        }
        return decision instanceof Decision.Unavailable unavailable
                ? limit + " could not be checked; retry after " + unavailable.retryAfter()
                : limit + " never admits this call";
    }

    /** Which limit refused, and what is known of it. */
    public Verdict verdict() {
        return verdict;
    }

    /** The decision, with the time to wait if waiting helps. */
    public Decision decision() {
        Decision decision = verdict.decision();
        if (decision == null) {
            throw new IllegalStateException("a refusal has a decision");
        }
        return decision;
    }

    /** The refusal that this is, or that a future has wrapped. */
    public static @Nullable RateLimitExceededException in(Throwable thrown) {
        if (thrown instanceof RateLimitExceededException refusal) {
            return refusal;
        }
        boolean wrapper = thrown instanceof CompletionException || thrown instanceof ExecutionException;
        return wrapper && thrown.getCause() != null ? in(thrown.getCause()) : null;
    }
}
