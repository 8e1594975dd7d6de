package io.headgate.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.Plan;
import io.headgate.RateLimiter;
import io.headgate.redis.RedisStore;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The snippets of the README. */
class ReadmeTest {

    @Test
    void limitsInOneLine() {
        assertThatCode(() -> {
                    // snippet
                    RateLimiter limiter = Headgate.limiter("10/min");

                    Decision decision = limiter.tryAcquire("alice");
                    if (decision instanceof Decision.Denied denied) {
                        throw new TooManyRequests(denied.retryAfter()); // exactly this long, not "about a minute"
                    }
                    // end
                })
                .doesNotThrowAnyException();
    }

    @Test
    void answersEveryVerb() throws Exception {
        RateLimiter limiter = Headgate.limiter("10/min");
        Decision.Allowed allowed = (Decision.Allowed) limiter.tryAcquire("alice");
        // snippet
        limiter.tryAcquire("alice", 5); // five permits or none
        limiter.acquire("alice", 1, Duration.ofSeconds(2)); // wait up to 2 s, or answer at once if that is too short
        limiter.peek("alice").remaining(); // look without spending
        limiter.refund(allowed); // take back exactly one charge, once
        limiter.reset("alice");
        limiter.tryAcquireAsync("alice"); // every method has a form that blocks no thread
        // end
        assertThat(limiter.peek("alice").remaining()).isEqualTo(9);
    }

    /** Compiled only: it wants a Redis on the port that everybody uses. */
    static void sharesALimit() {
        // snippet
        try (RedisStore store = RedisStore.connect("redis://localhost")) {
            RateLimiter limiter = Headgate.builder().store(store).build().limiter("login", Plan.parse("5/min", "20/h"));
            limiter.tryAcquire("alice"); // counts on all instances; both limits in one call
        }
        // end
    }
}
