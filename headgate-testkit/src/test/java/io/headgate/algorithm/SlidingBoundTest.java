package io.headgate.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.Judge;
import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.testkit.ManualTime;
import io.headgate.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What each algorithm promises holds in every interval of length W, wherever it begins: Known bugs T2, T3. */
class SlidingBoundTest {

    /** A request that was admitted, and what of it was not given back. */
    private static final class Admission {

        final long atMicros;
        final Decision.Allowed receipt;
        long cost;

        Admission(long atMicros, long cost, Decision.Allowed receipt) {
            this.atMicros = atMicros;
            this.cost = cost;
            this.receipt = receipt;
        }
    }

    /** Asks as a greedy client would: for much, at once, at the very moment something comes back, around every edge. */
    private static List<Admission> admissions(Limit limit, Random random, boolean refunds, boolean waits) {
        Judge judge = new Judge(Plan.of(limit), Headgate.algorithms());
        long period = limit.periodMicros();
        long now = new ManualTime().nowMicros() / period * period + random.nextInt(1_000);
        Object state = judge.fresh(now);
        List<Admission> admissions = new ArrayList<>();
        for (int step = 0; step < 400; step++) {
            long cost = random.nextInt(3) == 0 ? 1L + random.nextInt((int) limit.burst()) : 1;
            long budget = waits && random.nextBoolean() ? (long) (random.nextDouble() * period) : 0;
            Decision decision = judge.take(state, "somebody", cost, budget, now);
            long wait = 0;
            if (decision instanceof Decision.Allowed granted) {
                state = granted.stamp();
                admissions.add(new Admission(now + granted.delay().toNanos() / 1_000, cost, granted));
            } else if (decision instanceof Decision.Denied denied) {
                wait = denied.retryAfterMicros();
            }
            if (refunds && random.nextInt(3) == 0 && !admissions.isEmpty()) {
                int recent = Math.max(0, admissions.size() - 1 - random.nextInt(8));
                state = refund(judge, state, admissions.get(recent), now);
            }
            now += switch (random.nextInt(7)) {
                case 0, 1 -> 0;
                case 2 -> wait;
                case 3 -> (long) (random.nextDouble() * 2 * period / limit.permits());
                case 4 -> period - 1 - now % period; // to the last microsecond of the window
                case 5 -> 1;
                default -> (long) (random.nextDouble() * period / 2);
            };
        }
        return admissions;
    }

    /** Takes an admission back; what the bucket no longer holds of it stays admitted. */
    private static Object refund(Judge judge, Object state, Admission admission, long now) {
        long before = judge.peek(state, "somebody", 1, now).remaining();
        Object next =
                judge.refund(state, admission.receipt, admission.receipt.stamp(), admission.receipt.claimRefund(), now);
        long given = judge.peek(next, "somebody", 1, now).remaining() - before;
        admission.cost -= Math.min(admission.cost, given);
        return next;
    }

    private static void assertAtMost(long bound, List<Admission> admissions, Limit limit) {
        for (Admission first : admissions) { // an interval with the most in it begins with an admission
            long sum = admissions.stream()
                    .filter(each ->
                            each.atMicros >= first.atMicros && each.atMicros < first.atMicros + limit.periodMicros())
                    .mapToLong(each -> each.cost)
                    .sum();
            assertThat(sum)
                    .as("admitted by %s in one W from %d on", limit, first.atMicros)
                    .isLessThanOrEqualTo(bound);
        }
    }

    private static List<Limit> limits(String algorithm) {
        List<Limit> limits = new ArrayList<>();
        for (String text : List.of("1/s", "2/s", "7/s", "10/s", "30 per 7001us", "100/min", "5 per 1001us")) {
            limits.add(Limit.parse(text).using(algorithm));
        }
        return limits;
    }

    private static void check(List<Limit> limits, boolean refunds, ToLongFunction<Limit> bound) {
        Random random = Seeds.random(SlidingBoundTest.class);
        for (Limit limit : limits) {
            for (int round = 0; round < Seeds.rounds(4); round++) {
                assertAtMost(bound.applyAsLong(limit), admissions(limit, random, refunds, false), limit);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aTokenBucketAdmitsAtMostTheBurstAndN(boolean refunds) {
        List<Limit> limits = new ArrayList<>(limits("token-bucket"));
        limits.addAll(
                List.of(Limit.parse("10/s burst 1"), Limit.parse("2/s burst 30"), Limit.parse("7 per 1001us burst 5")));
        check(limits, refunds, limit -> limit.burst() + limit.permits());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aLogAdmitsAtMostN(boolean refunds) {
        check(limits("sliding-window-log"), refunds, Limit::permits);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSlidingWindowAdmitsAtMostN(boolean refunds) {
        check(limits("sliding-window"), refunds, Limit::permits);
    }

    @Test
    void aCounterAdmitsAtMostOneLessThanTwiceN() {
        check(limits("sliding-window-counter"), false, limit -> 2 * limit.permits() - 1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFixedWindowAdmitsAtMostNInAWindowAndTwiceNAnywhere(boolean refunds) {
        check(limits("fixed-window"), refunds, limit -> 2 * limit.permits());
        Random random = Seeds.random(getClass());
        for (Limit limit : limits("fixed-window")) {
            List<Admission> admissions = admissions(limit, random, refunds, false);
            for (Admission one : admissions) {
                long start = limit.window().startMicros(one.atMicros);
                long sum = admissions.stream()
                        .filter(each -> limit.window().startMicros(each.atMicros) == start)
                        .mapToLong(each -> each.cost)
                        .sum();
                assertThat(sum).as("admitted by %s in one window", limit).isLessThanOrEqualTo(limit.permits());
            }
        }
    }

    /** Each starts when those before it have had their intervals; slots are whole microseconds, so to less than one. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aLeakyBucketSpacesWhatItAdmits(boolean waits) {
        Random random = Seeds.random(getClass());
        for (Limit limit : limits("leaky-bucket")) {
            for (int round = 0; round < Seeds.rounds(4); round++) {
                List<Admission> admissions = admissions(limit, random, false, waits);
                for (int i = 1; i < admissions.size(); i++) {
                    Admission one = admissions.get(i - 1);
                    long apart = admissions.get(i).atMicros - one.atMicros + 1;
                    assertThat(apart * limit.permits())
                            .as("after %d permits of %s at %d", one.cost, limit, one.atMicros)
                            .isGreaterThan(one.cost * limit.periodMicros());
                }
            }
        }
    }

    /** Those who leave the end of the queue make room; nobody is crowded by it. */
    @Test
    void aLeakyBucketSpacesWhatItAdmitsWhenSomeLeave() {
        Random random = Seeds.random(getClass());
        for (Limit limit : limits("leaky-bucket")) {
            Judge judge = new Judge(Plan.of(limit), Headgate.algorithms());
            long now = new ManualTime().nowMicros();
            Object state = judge.fresh(now);
            List<Admission> admissions = new ArrayList<>();
            for (int step = 0; step < 300; step++) {
                long cost = 1L + random.nextInt((int) Math.min(3, limit.burst()));
                if (judge.take(state, "somebody", cost, 2 * limit.periodMicros(), now)
                        instanceof Decision.Allowed granted) {
                    state = granted.stamp();
                    admissions.add(new Admission(now + granted.delay().toNanos() / 1_000, cost, granted));
                }
                Admission last = admissions.get(admissions.size() - 1);
                if (random.nextInt(3) == 0 && last.atMicros > now) { // it has not started yet
                    state = judge.refund(state, last.receipt, last.receipt.stamp(), last.receipt.claimRefund(), now);
                    admissions.remove(last);
                }
                now += random.nextInt(3) * limit.periodMicros() / limit.permits();
            }
            for (int i = 1; i < admissions.size(); i++) {
                Admission one = admissions.get(i - 1);
                long apart = admissions.get(i).atMicros - one.atMicros + 1;
                assertThat(apart * limit.permits()).as("%s", limit).isGreaterThan(one.cost * limit.periodMicros());
            }
        }
    }
}
