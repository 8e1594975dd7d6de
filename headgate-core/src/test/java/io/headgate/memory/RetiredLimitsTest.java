package io.headgate.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.TestTime;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys that are asked about under several plans, of which each has a budget to remember. */
class RetiredLimitsTest {

    private static final Plan DAILY = Plan.of(Limit.parse("5/day").using("fixed-window"));
    private static final Plan SHORT = Plan.parse("1000/s");

    private final TestTime time = new TestTime("2026-03-01T00:00:00Z");
    private final MemoryStore store = new MemoryStore(Headgate.algorithms(), time, 100);

    private Decision apply(String subject, Plan plan, Operation operation) {
        return store.bind("api", plan).apply(subject, operation);
    }

    private long remaining(Plan plan) {
        return apply("alice", plan, Operation.PEEK).remaining();
    }

    private void take(Plan plan, long cost) {
        assertThat(apply("alice", plan, new Operation.Take(cost, 0))).isInstanceOf(Decision.Allowed.class);
    }

    @Test
    void isNotSweptWhileADepartedLimitRemembersSomething() {
        take(DAILY, 5);
        take(SHORT, 1);
        time.advance(Duration.ofMinutes(1));
        flood();

        assertThat(remaining(DAILY)).isZero();
    }

    @Test
    void isSweptOnceAllBudgetsAreFull() {
        take(DAILY, 5);
        take(SHORT, 1);
        time.advance(Duration.ofDays(1));
        flood();

        assertThat(store.keys()).isLessThan(50);
        assertThat(remaining(DAILY)).isEqualTo(5);
    }

    /** Each of them is over long before the last comes, so that a sweep forgets them and whoever was there before. */
    private void flood() {
        for (int i = 0; i < 1_000; i++) {
            apply("other " + i, SHORT, Operation.ONE);
            time.advance(Duration.ofSeconds(1));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"token-bucket", "sliding-window-log"})
    void aResetLeavesTheLimitsOfOtherPlansAsTheyAre(String algorithm) {
        Plan other = Plan.of(Limit.parse("7/day").using(algorithm));
        take(DAILY, 4);
        take(other, 7);

        apply("alice", other, Operation.RESET);

        assertThat(remaining(other)).isEqualTo(7);
        assertThat(remaining(DAILY)).isEqualTo(1);
    }

    /** Limits whose names never come again do not pile up; the latest are those that matter. */
    @Test
    void remembersTheLatestOfManyNames() {
        for (int i = 0; i < 100; i++) {
            take(named(i), 4);
        }

        assertThat(remaining(named(98))).isEqualTo(1);
        assertThat(remaining(named(70))).isEqualTo(1);
        assertThat(remaining(named(10))).isEqualTo(5);
    }

    private static Plan named(int number) {
        return Plan.of(Limit.parse("5/day").named("n" + number));
    }

    /** What is taken under one plan while another thread asks under the other is never lost. */
    @Test
    void countsExactlyWhenThreadsTakeTurnsUnderTwoPlans() throws InterruptedException {
        Plan log = Plan.of(Limit.parse("3000/day").using("sliding-window-log"));
        Plan bucket = Plan.parse("2000/day");
        AtomicInteger byLog = new AtomicInteger();
        AtomicInteger byBucket = new AtomicInteger();
        Thread[] threads = new Thread[4];
        for (int t = 0; t < threads.length; t++) {
            threads[t] = new Thread(() -> {
                for (int i = 0; i < 2_000; i++) {
                    byLog.addAndGet(apply("alice", log, Operation.ONE).allowed() ? 1 : 0);
                    byBucket.addAndGet(apply("alice", bucket, Operation.ONE).allowed() ? 1 : 0);
                }
            });
            threads[t].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(byLog).hasValue(3_000);
        assertThat(byBucket).hasValue(2_000);
    }
}
