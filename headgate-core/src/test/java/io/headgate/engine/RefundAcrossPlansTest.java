package io.headgate.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.RateLimiter;
import io.headgate.Standing;
import io.headgate.TestTime;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A receipt that is given back after its key's plan has changed: the limits that were charged get it back, no other does. */
class RefundAcrossPlansTest {

    private static final List<String> ALGORITHMS = List.of(
            "token-bucket",
            "leaky-bucket",
            "fixed-window",
            "sliding-window-log",
            "sliding-window-counter",
            "sliding-window");

    private final TestTime time = new TestTime("2026-03-02T09:41:27Z");
    private final Headgate headgate = Headgate.builder().timeSource(time).build();

    static Stream<Plan[]> changes() {
        List<Plan> plans = ALGORITHMS.stream()
                .flatMap(algorithm -> Stream.of(
                        plan(algorithm, "5/min"),
                        plan(algorithm, "5/min", "20/h"),
                        plan(algorithm, "5/min", "20/h", "30/day")))
                .toList();
        return plans.stream().flatMap(from -> plans.stream().map(to -> new Plan[] {from, to}));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void isTakenBackFromNoLimitThatWasNotCharged(Plan from, Plan to) {
        RateLimiter before = headgate.limiter("api", from);
        RateLimiter after = headgate.limiter("api", to);
        Decision.Allowed receipt = (Decision.Allowed) before.tryAcquire("alice");
        after.tryAcquire("alice");
        List<Standing> charged = after.peek("alice").standings();

        after.refund(receipt);

        List<Standing> left = after.peek("alice").standings();
        for (int i = 0; i < left.size(); i++) {
            if (!from.ids().contains(to.ids().get(i))) {
                assertThat(left.get(i)).isEqualTo(charged.get(i));
            }
        }
    }

    @Test
    void isTakenBackFromTheLimitThatWasCharged() {
        RateLimiter before = headgate.limiter("api", plan("token-bucket", "5/min"));
        RateLimiter after = headgate.limiter("api", plan("token-bucket", "5/min", "20/h"));
        Decision.Allowed receipt = (Decision.Allowed) before.tryAcquire("alice");

        after.refund(receipt);

        assertThat(after.peek("alice").standings())
                .extracting(Standing::remaining)
                .containsExactly(5L, 20L);
    }

    @ParameterizedTest
    @MethodSource("changes")
    void isTakenBackFromEveryLimitThatWasCharged(Plan from, Plan to) {
        RateLimiter before = headgate.limiter("api", from);
        RateLimiter after = headgate.limiter("api", to);
        Decision.Allowed receipt = (Decision.Allowed) before.tryAcquire("alice");

        after.refund(receipt);

        assertThat(after.peek("alice").standings())
                .allSatisfy(left ->
                        assertThat(left.remaining()).isEqualTo(left.limit().permits()));
    }

    /** The window of the charge is over, and the window that is now another one has other charges. */
    @Test
    void takesNothingFromOtherChargesWhenTheWindowHasChanged() {
        RateLimiter before = headgate.limiter("api", Plan.parse("4/10s fixed-window", "20/h"));
        RateLimiter after = headgate.limiter("api", Plan.parse("9/min fixed-window", "20/h"));
        Decision.Allowed receipt = (Decision.Allowed) before.tryAcquire("alice");
        time.advance(Duration.ofSeconds(10));
        before.tryAcquire("alice", 4);

        after.refund(receipt);

        assertThat(after.peek("alice").standings().get(0).remaining()).isEqualTo(5);
    }

    private static Plan plan(String algorithm, String... limits) {
        return new Plan(Arrays.stream(limits)
                .map(text -> Limit.parse(text).using(algorithm))
                .toList());
    }
}
