package io.headgate.guide;

import static io.headgate.testkit.DecisionAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.RateLimiter;
import io.headgate.Window;
import java.time.Duration;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

/** The snippets about algorithms. */
class AlgorithmsTest {

    private final Headgate headgate = Headgate.builder().build();

    @Test
    void saysWhichAlgorithm() {
        // snippet
        Limit precise = Limit.parse("100/min sliding-window");
        Limit daily = Limit.of(1000).perCalendar(Window.Unit.DAY, ZoneId.of("Europe/Berlin"));
        Plan both = Plan.of(precise, daily);
        // end
        assertThat(both.limits()).extracting(Limit::algorithm).containsExactly("sliding-window", "fixed-window");
        assertThat(headgate.limiter("both", both).tryAcquire("alice"))
                .isAllowed()
                .hasRemaining(99);
    }

    @Test
    void waits() throws InterruptedException {
        // snippet
        RateLimiter pace = headgate.limiter("mail", Plan.of(Limit.parse("10/s").using("leaky-bucket")));
        Decision decision = pace.acquire("smtp", 1, Duration.ofSeconds(2));
        // end
        assertThat(decision).isAllowed();
    }
}
