package io.headgate.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.engine.BoundPlan;
import io.headgate.engine.Grant;
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

    /** A request that was allowed, and what of it was not given back. */
    private static final class Charge {

        final long atMicros;
        final Grant receipt;
        long cost;

        Charge(long atMicros, long cost, Grant receipt) {
            this.atMicros = atMicros;
            this.cost = cost;
            this.receipt = receipt;
        }
    }

    /** Asks as a greedy client would: for much, at once, at the very moment something comes back, around every edge. */
    private static List<Charge> grants(Limit limit, Random random, boolean refunds, boolean waits) {
        BoundPlan boundPlan = new BoundPlan(Plan.of(limit), Headgate.algorithms());
        long period = limit.periodMicros();
        long now = new ManualTime().nowMicros() / period * period + random.nextInt(1_000);
        Object state = boundPlan.fresh(now);
        List<Charge> grants = new ArrayList<>();
        for (int step = 0; step < 400; step++) {
            long cost = random.nextInt(3) == 0 ? 1L + random.nextInt((int) limit.burst()) : 1;
            long budget = waits && random.nextBoolean() ? (long) (random.nextDouble() * period) : 0;
            Decision decision = boundPlan.take(state, "somebody", cost, budget, now);
            long wait = 0;
            if (decision instanceof Grant granted) {
                state = granted.stamp();
                grants.add(new Charge(now + granted.delay().toNanos() / 1_000, cost, granted));
            } else if (decision instanceof Decision.Denied denied) {
                wait = denied.retryAfterMicros();
            }
            if (refunds && random.nextInt(3) == 0 && !grants.isEmpty()) {
                int recent = Math.max(0, grants.size() - 1 - random.nextInt(8));
                state = refund(boundPlan, state, grants.get(recent), now);
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
        return grants;
    }

    /** Takes a grant back; what the bucket no longer holds of it stays taken. */
    private static Object refund(BoundPlan boundPlan, Object state, Charge grant, long now) {
        long before = boundPlan.peek(state, "somebody", 1, now).remaining();
        Object next = boundPlan.refund(state, grant.receipt, grant.receipt.stamp(), grant.receipt.claimRefund(), now);
        long given = boundPlan.peek(next, "somebody", 1, now).remaining() - before;
        grant.cost -= Math.min(grant.cost, given);
        return next;
    }

    private static void assertAtMost(long bound, List<Charge> grants, Limit limit) {
        for (Charge first : grants) { // an interval with the most in it begins with a grant
            long sum = grants.stream()
                    .filter(each ->
                            each.atMicros >= first.atMicros && each.atMicros < first.atMicros + limit.periodMicros())
                    .mapToLong(each -> each.cost)
                    .sum();
            assertThat(sum)
                    .as("allowed by %s in one W from %d on", limit, first.atMicros)
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
                assertAtMost(bound.applyAsLong(limit), grants(limit, random, refunds, false), limit);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aTokenBucketAllowsAtMostTheBurstAndN(boolean refunds) {
        List<Limit> limits = new ArrayList<>(limits("token-bucket"));
        limits.addAll(
                List.of(Limit.parse("10/s burst 1"), Limit.parse("2/s burst 30"), Limit.parse("7 per 1001us burst 5")));
        check(limits, refunds, limit -> limit.burst() + limit.permits());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aLogAllowsAtMostN(boolean refunds) {
        check(limits("sliding-window-log"), refunds, Limit::permits);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSlidingWindowAllowsAtMostN(boolean refunds) {
        check(limits("sliding-window"), refunds, Limit::permits);
    }

    @Test
    void aCounterAllowsAtMostOneLessThanTwiceN() {
        check(limits("sliding-window-counter"), false, limit -> 2 * limit.permits() - 1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFixedWindowAllowsAtMostNInAWindowAndTwiceNAnywhere(boolean refunds) {
        check(limits("fixed-window"), refunds, limit -> 2 * limit.permits());
        Random random = Seeds.random(getClass());
        for (Limit limit : limits("fixed-window")) {
            List<Charge> grants = grants(limit, random, refunds, false);
            for (Charge one : grants) {
                long start = limit.window().startMicros(one.atMicros);
                long sum = grants.stream()
                        .filter(each -> limit.window().startMicros(each.atMicros) == start)
                        .mapToLong(each -> each.cost)
                        .sum();
                assertThat(sum).as("allowed by %s in one window", limit).isLessThanOrEqualTo(limit.permits());
            }
        }
    }

    /** Each starts when those before it have had their intervals; slots are whole microseconds, so to less than one. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aLeakyBucketSpacesWhatItAllows(boolean waits) {
        Random random = Seeds.random(getClass());
        for (Limit limit : limits("leaky-bucket")) {
            for (int round = 0; round < Seeds.rounds(4); round++) {
                List<Charge> grants = grants(limit, random, false, waits);
                for (int i = 1; i < grants.size(); i++) {
                    Charge one = grants.get(i - 1);
                    long apart = grants.get(i).atMicros - one.atMicros + 1;
                    assertThat(apart * limit.permits())
                            .as("after %d permits of %s at %d", one.cost, limit, one.atMicros)
                            .isGreaterThan(one.cost * limit.periodMicros());
                }
            }
        }
    }

    /** Those who leave the end of the queue make room; nobody is crowded by it. */
    @Test
    void aLeakyBucketSpacesWhatItAllowsWhenSomeLeave() {
        Random random = Seeds.random(getClass());
        for (Limit limit : limits("leaky-bucket")) {
            BoundPlan boundPlan = new BoundPlan(Plan.of(limit), Headgate.algorithms());
            long now = new ManualTime().nowMicros();
            Object state = boundPlan.fresh(now);
            List<Charge> grants = new ArrayList<>();
            for (int step = 0; step < 300; step++) {
                long cost = 1L + random.nextInt((int) Math.min(3, limit.burst()));
                if (boundPlan.take(state, "somebody", cost, 2 * limit.periodMicros(), now) instanceof Grant granted) {
                    state = granted.stamp();
                    grants.add(new Charge(now + granted.delay().toNanos() / 1_000, cost, granted));
                }
                Charge last = grants.get(grants.size() - 1);
                if (random.nextInt(3) == 0 && last.atMicros > now) { // it has not started yet
                    state = boundPlan.refund(
                            state, last.receipt, last.receipt.stamp(), last.receipt.claimRefund(), now);
                    grants.remove(last);
                }
                now += random.nextInt(3) * limit.periodMicros() / limit.permits();
            }
            for (int i = 1; i < grants.size(); i++) {
                Charge one = grants.get(i - 1);
                long apart = grants.get(i).atMicros - one.atMicros + 1;
                assertThat(apart * limit.permits()).as("%s", limit).isGreaterThan(one.cost * limit.periodMicros());
            }
        }
    }
}
