package io.headgate.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.TimeMeter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.RateLimiter;
import io.headgate.testkit.ManualTime;
import io.headgate.testkit.Seeds;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Before and after. */
class MigrationTest {

    private final ManualTime time = new ManualTime();
    private final Headgate headgate = Headgate.builder().timeSource(time).build();

    /** Bucket4j with our time. */
    private final TimeMeter clock = new TimeMeter() {
        @Override
        public long currentTimeNanos() {
            return time.nowMicros() * 1_000;
        }

        @Override
        public boolean isWallClockBased() {
            return true;
        }
    };

    @Test
    void showsBucket4jBeforeAndAfter() {
        // snippet
        Bucket bucket = Bucket.builder()
                .addLimit(limit -> limit.capacity(20).refillGreedy(10, Duration.ofMinutes(1)))
                .build();
        ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(1);
        boolean goAhead = probe.isConsumed();
        // end
        boolean before = goAhead;
        assertThat(before).isEqualTo(after());
    }

    private static boolean after() {
        // snippet
        RateLimiter limiter = Headgate.limiter("10/min burst 20");
        Decision decision = limiter.tryAcquire("alice");
        boolean goAhead = decision.allowed();
        // end
        return goAhead;
    }

    /** A greedy refill and our token bucket agree on every request. */
    @Test
    void decidesAsBucket4jDid() {
        Bucket bucket = Bucket.builder()
                .addLimit(limit -> limit.capacity(20).refillGreedy(10, Duration.ofMinutes(1)))
                .withCustomTimePrecision(clock)
                .build();
        RateLimiter limiter = headgate.limiter("api", Plan.parse("10/min burst 20"));
        Random random = Seeds.random(MigrationTest.class);
        for (int i = 0; i < 10_000; i++) {
            int cost = 1 + random.nextInt(3);
            ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(cost);
            Decision decision = limiter.tryAcquire("alice", cost);
            assertThat(decision.allowed()).as("request %d", i).isEqualTo(probe.isConsumed());
            assertThat(decision.remaining()).isEqualTo(probe.getRemainingTokens());
            time.advance(Duration.ofMillis(random.nextInt(20_000)));
        }
    }

    @Test
    void showsResilience4jBeforeAndAfter() throws InterruptedException {
        // snippet
        io.github.resilience4j.ratelimiter.RateLimiter before = io.github.resilience4j.ratelimiter.RateLimiter.of(
                "backend",
                RateLimiterConfig.custom()
                        .limitForPeriod(10)
                        .limitRefreshPeriod(Duration.ofSeconds(1))
                        .timeoutDuration(Duration.ofMillis(500))
                        .build());
        boolean permitted = before.acquirePermission();
        // end
        assertThat(permitted).isTrue();
        // snippet
        RateLimiter backend =
                headgate.limiter("backend", Plan.of(Limit.parse("10/s").using("fixed-window")));
        boolean allowed =
                backend.acquire("everybody", 1, Duration.ofMillis(500)).allowed();
        // end
        assertThat(allowed).isTrue();
    }
}
