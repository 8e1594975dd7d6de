package io.headgate.spring;

import io.headgate.Decision;
import io.headgate.http.Verdict;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Thrown when a {@link RateLimit} denies a method call. In a web application it becomes the same response as a gate's denial. */
public final class RateLimitExceededException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Verdict verdict;

    public RateLimitExceededException(Verdict denial) {
        super(message(denial));
        this.verdict = denial;
    }

    /** The message for logs. Responses to clients have other words and reveal less. */
    private static String message(Verdict denial) {
        String rule = denial.rule();
        Decision decision = denial.decision();
        if (rule == null || decision == null) {
            return "denied: " + denial;
        }
        String limit = "rate limit '" + rule + "' of " + decision.limit().text();
        if (decision instanceof Decision.Denied denied) {
            return limit + " exceeded; retry after " + denied.retryAfter();
        }
        return decision instanceof Decision.Unavailable unavailable
                ? limit + " could not be checked; retry after " + unavailable.retryAfter()
                : limit + " never allows this call";
    }

    /** The verdict: which limit denied the call, and its state as far as it is known. */
    public Verdict verdict() {
        return verdict;
    }

    /** The decision, with the time to wait if waiting helps. */
    public Decision decision() {
        Decision decision = verdict.decision();
        if (decision == null) {
            throw new IllegalStateException("the verdict of this denial contains no decision");
        }
        return decision;
    }

    /** The denial that {@code thrown} is, or that a future has wrapped in it; {@code null} if there is none. */
    public static @Nullable RateLimitExceededException in(Throwable thrown) {
        if (thrown instanceof RateLimitExceededException denial) {
            return denial;
        }
        boolean wrapper = thrown instanceof CompletionException || thrown instanceof ExecutionException;
        return wrapper && thrown.getCause() != null ? in(thrown.getCause()) : null;
    }
}
