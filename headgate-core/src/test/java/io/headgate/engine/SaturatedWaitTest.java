package io.headgate.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.TestTime;
import io.headgate.memory.MemoryStore;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A wait of more than 142 years is cut to that: whoever has waited so long is told to wait again. */
class SaturatedWaitTest {

    private final TestTime time = new TestTime("2026-03-01T00:00:00Z");
    private final MemoryStore store = new MemoryStore(Headgate.algorithms(), time, 100);

    @ParameterizedTest
    @CsvSource({
        "1 per 366 days burst 2147483647, token-bucket, 1000",
        "1 per 366 days burst 1000000, token-bucket, 1000",
        "1000 per 366 days burst 2147483647, token-bucket, 1000000"
    })
    void deniesAgainAfterAWaitThatWasCut(String limit, String algorithm, long cost) {
        Limit large = Limit.parse(limit).using(algorithm);
        LedgerLimiter limiter = new LedgerLimiter("api", Plan.of(large), store.bind("api", Plan.of(large)), time);
        limiter.tryAcquire("alice", large.burst());
        for (int i = 0; i < 3; i++) {
            Decision.Denied denied = (Decision.Denied) limiter.tryAcquire("alice", cost);
            assertThat(denied.retryAfter()).isGreaterThan(Duration.ofDays(60 * 366));
            assertThat(denied.resetAfter()).isGreaterThanOrEqualTo(denied.retryAfter());
            time.advance(denied.retryAfterMicros());
        }
    }
}
