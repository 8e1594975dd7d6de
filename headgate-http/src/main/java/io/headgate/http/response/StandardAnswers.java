package io.headgate.http.response;

import io.headgate.Decision;
import io.headgate.Limit;
import io.headgate.Standing;
import io.headgate.TimeSource;
import io.headgate.http.Answers;
import io.headgate.http.Verdict;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The default answers: {@code 429} with an RFC 9457 problem, {@code 503} when the store failed and the failure policy of the rule
 * is closed, and the headers of the enabled families.
 */
public final class StandardAnswers implements Answers {

    private static final String QUOTA_EXCEEDED = "https://iana.org/assignments/http-problem-types#quota-exceeded";
    private static final String REDUCED_CAPACITY =
            "https://iana.org/assignments/http-problem-types#temporary-reduced-capacity";

    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVICE_UNAVAILABLE = 503;

    private final TimeSource time;
    private final boolean rateLimit;
    private final boolean xRateLimit;
    private final boolean retryAfter;
    private final Policies policies = new Policies();

    /** Creates answers with every family of headers. */
    public StandardAnswers(TimeSource time) {
        this(time, EnumSet.allOf(HeaderFamily.class));
    }

    /**
     * Creates answers with the headers of these families only.
     *
     * @param time the clock for {@code X-RateLimit-Reset}
     */
    public StandardAnswers(TimeSource time, Set<HeaderFamily> families) {
        this.time = Objects.requireNonNull(time, "time");
        this.rateLimit = families.contains(HeaderFamily.RATE_LIMIT);
        this.xRateLimit = families.contains(HeaderFamily.X_RATE_LIMIT);
        this.retryAfter = families.contains(HeaderFamily.RETRY_AFTER);
    }

    @Override
    public void headers(Verdict verdict, BiConsumer<String, String> header) {
        Decision decision = verdict.decision();
        if (decision == null) {
            return;
        }
        if (retryAfter) {
            long seconds = retrySeconds(decision);
            if (seconds != Seconds.NONE) {
                header.accept("Retry-After", Long.toString(seconds));
            }
        }
        if (decision.degraded()) {
            // Only the store knows what remains. A decision that is not degraded is always the stricter one, so all are
            // degraded here.
            return;
        }
        if (!rateLimit && !xRateLimit) {
            return;
        }
        List<Standing> standings = decision.standings();
        if (verdict.checks().size() == 1 && standings.size() == 1) {
            one(Objects.requireNonNull(verdict.rule()), standings.get(0), header);
        } else {
            several(verdict, decision, header);
        }
    }

    /** The usual case: one rule with one limit. */
    private void one(String rule, Standing standing, BiConsumer<String, String> header) {
        Policy policy = policies.of(rule, standing.limit(), true);
        String remaining = Long.toString(standing.remaining());
        if (rateLimit) {
            header.accept("RateLimit-Policy", policy.text());
            header.accept("RateLimit", policy.standing(standing, remaining));
        }
        xRateLimit(policy.most(), remaining, standing.resetAfterMicros(), header);
    }

    private void several(Verdict verdict, Decision decision, BiConsumer<String, String> header) {
        if (rateLimit) {
            StringJoiner policyTexts = new StringJoiner(", ");
            StringJoiner standingTexts = new StringJoiner(", ");
            for (Verdict.Check check : verdict.checks()) {
                List<Standing> standings = check.decision().degraded()
                        ? List.of()
                        : check.decision().standings();
                for (Standing standing : standings) {
                    Policy policy = policies.of(check.rule(), standing.limit(), standings.size() == 1);
                    policyTexts.add(policy.text());
                    standingTexts.add(policy.standing(standing, Long.toString(standing.remaining())));
                }
            }
            header.accept("RateLimit-Policy", policyTexts.toString());
            header.accept("RateLimit", standingTexts.toString());
        }
        long reset = decision.resetAfter().toNanos() / 1_000;
        xRateLimit(Long.toString(decision.limit().burst()), Long.toString(remaining(decision)), reset, header);
    }

    /** What remains of the limit that decided. After a denial, another limit of the plan may have less. */
    private static long remaining(Decision decision) {
        for (Standing standing : decision.standings()) {
            if (standing.limit().equals(decision.limit())) {
                return standing.remaining();
            }
        }
        return decision.remaining();
    }

    private void xRateLimit(String most, String remaining, long resetMicros, BiConsumer<String, String> header) {
        if (xRateLimit) {
            header.accept("X-RateLimit-Limit", most);
            header.accept("X-RateLimit-Remaining", remaining);
            header.accept("X-RateLimit-Reset", Long.toString(Seconds.ceil(time.nowMicros() + resetMicros)));
        }
    }

    @Override
    public int status(Verdict denial) {
        return denied(denial) instanceof Decision.Unavailable ? SERVICE_UNAVAILABLE : TOO_MANY_REQUESTS;
    }

    @Override
    public String contentType() {
        return "application/problem+json";
    }

    @Override
    public String body(Verdict denial) {
        Decision decision = denied(denial);
        String rule = Objects.requireNonNull(denial.rule());
        long seconds = retrySeconds(decision);
        boolean unavailable = decision instanceof Decision.Unavailable;
        String message = message(denial, rule, decision, seconds);
        Json json = new Json()
                .member("type", unavailable ? REDUCED_CAPACITY : QUOTA_EXCEEDED)
                .member(
                        "title",
                        unavailable
                                ? "Request cannot be satisfied due to temporary server capacity constraints"
                                : "Request cannot be satisfied as assigned quota has been exceeded")
                .member("status", status(denial))
                .member("detail", message);
        if (!unavailable) {
            json.member("violated-policies", violated(rule, decision));
        }
        json.member("error", unavailable ? "Service Unavailable" : "Too Many Requests")
                .member("message", message);
        return (seconds == Seconds.NONE ? json : json.member("retryAfter", seconds)).end();
    }

    private static Decision denied(Verdict verdict) {
        @Nullable Decision decision = verdict.decision();
        if (decision == null || decision.allowed()) {
            throw new IllegalArgumentException("the request was not denied: " + verdict);
        }
        return decision;
    }

    private static String message(Verdict denial, String rule, Decision decision, long seconds) {
        String wait = " Try again in " + seconds + (seconds == 1 ? " second." : " seconds.");
        String limit = "Rate limit '" + rule + "'";
        if (decision instanceof Decision.Unavailable) {
            return limit + " cannot be checked right now." + wait;
        }
        if (denial.missing() != null) {
            return limit + " only allows requests with " + denial.missing() + ".";
        }
        return seconds == Seconds.NONE ? limit + " never allows this request." : limit + " exceeded." + wait;
    }

    /** The seconds to wait before a retry; {@link Seconds#NONE} if the request is allowed or can never be. */
    private static long retrySeconds(Decision decision) {
        if (decision instanceof Decision.Denied denied) {
            return Seconds.retry(denied.retryAfterMicros());
        }
        return decision instanceof Decision.Unavailable unavailable
                ? Seconds.retry(-Math.floorDiv(-unavailable.retryAfter().toNanos(), 1_000))
                : Seconds.NONE;
    }

    private List<String> violated(String rule, Decision decision) {
        List<Standing> standings = decision.standings();
        List<String> names = new ArrayList<>();
        for (Standing standing : standings) {
            Limit limit = standing.limit();
            boolean never = standing.retryAfterMicros() == Standing.NEVER;
            if (decision instanceof Decision.Impossible ? never : standing.retryAfterMicros() > 0) {
                names.add(policies.of(rule, limit, standings.size() == 1).name());
            }
        }
        return names;
    }
}
