package io.headgate.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Algorithm;
import io.headgate.Algorithms;
import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.Window;
import io.headgate.engine.BoundPlan;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The tests that every {@link Algorithm} must pass, including yours: extend this class and return the algorithm under test.
 *
 * <p>Most promises are checked after every step of random walks: requests of all costs, at times that lie a microsecond, the
 * return of a permit, a window or decades apart, under limits from the smallest to the largest.
 *
 * @param <S> the state of the algorithm
 */
public abstract class AlgorithmContract<S> extends RandomAlgorithmSequences<S> {

    /** Whether the algorithm gives charges back. One that does not override {@link Algorithm#refund} does not. */
    protected boolean refunds() {
        return true;
    }

    /** The permits that must remain when {@code spent} permits were spent before the limit became {@code changed}. */
    protected long remainingAfter(long spent, Limit changed) {
        return Math.max(0, changed.burst() - spent);
    }

    @Test
    public void allowsAfterExactlyTheWaitAndNotAMicrosecondEarlier() {
        walk((limit, state, now, random) -> {
            long cost = someCost(limit, state, now, random);
            long wait = wait(state, limit, cost, now);
            assertThat(wait).as("the wait for %d", cost).isNotNegative();
            if (wait > 0 && wait < AGES) {
                long passed = random.nextBoolean() ? wait - 1 : (long) (random.nextDouble() * wait);
                assertThat(wait(state, limit, cost, now + wait))
                        .as("after all of %d", wait)
                        .isZero();
                assertThat(wait(state, limit, cost, now + passed))
                        .as("after %d of %d", passed, wait)
                        .isEqualTo(wait - passed);
            }
        });
    }

    @Test
    public void allowsWhatRemainsAndNothingMore() {
        walk((limit, state, now, random) -> {
            long remaining = remaining(state, limit, now);
            assertThat(remaining).isBetween(0L, limit.burst());
            assertThat(remaining == 0 || wait(state, limit, remaining, now) == 0)
                    .as("%d allowed", remaining)
                    .isTrue();
            assertThat(remaining == limit.burst() || wait(state, limit, remaining + 1, now) > 0)
                    .as("%d denied", remaining + 1)
                    .isTrue();
            long cost = someCost(limit, state, now, random);
            assertThat(wait(state, limit, cost, now) == 0)
                    .as("%d of %d allowed", cost, remaining)
                    .isEqualTo(cost <= remaining);
        });
    }

    @Test
    public void leavesNoMoreThanWhatWasNotTaken() {
        walk((limit, state, now, random) -> {
            long remaining = remaining(state, limit, now);
            if (remaining > 0) {
                long cost = 1 + (long) (random.nextDouble() * remaining);
                S next = take(state, limit, cost, now);
                assertThat(remaining(next, limit, now)).as("after %d", cost).isBetween(0L, remaining - cost);
            }
        });
    }

    @Test
    public void changesNothingWhenItOnlyJudges() {
        walk((limit, state, now, random) -> {
            long[] before = algorithm().encode(state);
            assertThat(algorithm().rebase(state, limit, now))
                    .as("a sound state")
                    .isSameAs(state);
            algorithm().waitMicros(state, limit, someCost(limit, state, now, random), now);
            complete().remaining(state, limit, now);
            complete().fullAtMicros(state, limit, now);
            assertThat(algorithm().encode(state)).isEqualTo(before);
        });
    }

    @Test
    public void isFullWhenItSaysAndNotBefore() {
        walk((limit, state, now, random) -> {
            long full = complete().fullAtMicros(state, limit, now);
            if (full > now && full < HORIZON) {
                assertThat(remaining(state, limit, full - 1))
                        .as("just before %d", full)
                        .isLessThan(limit.burst());
            }
            long then = Math.max(now, full);
            if (then < HORIZON) {
                assertThat(remaining(state, limit, then)).as("at %d", then).isEqualTo(limit.burst());
                assertSameFromNowOn(state, algorithm().fresh(limit, then), limit, then, random);
            }
        });
    }

    @Test
    public void survivesEncoding() {
        walk((limit, state, now, random) -> {
            S decoded = algorithm().decode(algorithm().encode(state));
            assertThat(algorithm().encode(decoded)).isEqualTo(algorithm().encode(state));
            assertSameFromNowOn(state, decoded, limit, now, random);
        });
    }

    /** After the step back, the waits are no longer than if the whole budget had been spent at that moment. */
    @Test
    public void grantsNothingAndRecoversWhenTheClockStepsBack() {
        walk((limit, state, now, random) -> {
            long period = limit.periodMicros();
            long[] steps = {1, period / limit.permits(), period / 2, period, 3 * period, 40 * 86_400_000_000L};
            long back = now - steps[random.nextInt(steps.length)];
            S mended = algorithm().rebase(copy(state), limit, back);
            assertThat(algorithm().rebase(mended, limit, back))
                    .as("mended once")
                    .isSameAs(mended);
            assertThat(remaining(mended, limit, back)).isLessThanOrEqualTo(remaining(state, limit, now));
            S spent = algorithm().take(algorithm().fresh(limit, back), limit, limit.burst(), back);
            for (long cost : new long[] {1, limit.burst()}) {
                assertThat(wait(mended, limit, cost, back))
                        .as("the wait for %d at %d", cost, back)
                        .isLessThanOrEqualTo(wait(spent, limit, cost, back) + 1); // states keep fractions of a us
            }
            assertThat(complete().fullAtMicros(mended, limit, now))
                    .isLessThanOrEqualTo(complete().fullAtMicros(spent, limit, now) + 1);
        });
    }

    @Test
    public void keepsWhatWasSpentWhenNOrTheBurstChanges() {
        List<Limit> all = limits();
        walk((limit, state, now, random) -> {
            Limit other = all.get(random.nextInt(all.size()));
            long burst = other.burst() == other.permits() && random.nextBoolean() ? other.permits() : other.burst();
            Limit changed = Limit.of(other.permits())
                    .per(limit.window())
                    .using(limit.algorithm())
                    .burst(burst);
            if (accepts(changed)) {
                long spent = limit.burst() - remaining(state, limit, now);
                assertThat(remaining(state, changed, now))
                        .as("%d spent, then %s", spent, changed)
                        .isEqualTo(remainingAfter(spent, changed));
            }
        });
    }

    @Test
    public void keepsWhatWasSpentWhenTheWindowChanges() {
        walk((limit, state, now, random) -> {
            Window window = new Window.Span(PERIODS[random.nextInt(PERIODS.length)]);
            Limit changed = Limit.of(limit.permits())
                    .per(window)
                    .using(limit.algorithm())
                    .burst(limit.burst());
            if (changed.periodMicros() >= limit.periodMicros()) {
                assertThat(remaining(state, changed, now))
                        .as("then %s", changed)
                        .isLessThanOrEqualTo(remaining(state, limit, now));
            }
            long cost = 1 + (long) (random.nextDouble() * limit.burst());
            S justNow = algorithm().take(algorithm().fresh(limit, now), limit, cost, now);
            assertThat(remaining(justNow, changed, now))
                    .as("%d spent just now, then %s", cost, changed)
                    .isEqualTo(remaining(justNow, limit, now));
        });
    }

    @Test
    public void isAsIfNeverChargedAfterARefund() {
        walk((limit, state, now, random) -> {
            long remaining = remaining(state, limit, now);
            if (refunds() && remaining > 0) {
                long cost = 1 + (long) (random.nextDouble() * remaining);
                S charged = take(state, limit, cost, now);
                long later = now + someTime(limit, charged, now, random);
                S refunded = refund(charged, charged, limit, cost, later);
                assertSameFromNowOn(refunded, state, limit, later, random);
            }
        });
    }

    /** A store outside the process decodes the state on each call, but a receipt keeps the charged state as it was computed here. */
    @Test
    public void knowsAChargeAgainInADecodedState() {
        walk((limit, state, now, random) -> {
            long remaining = remaining(state, limit, now);
            if (remaining > 0) {
                long cost = 1 + (long) (random.nextDouble() * remaining);
                S charged = take(state, limit, cost, now);
                S decoded = algorithm().decode(algorithm().encode(charged));
                long later = now + someTime(limit, charged, now, random);
                S expected = copy(refund(charged, charged, limit, cost, later));
                assertSameFromNowOn(refund(decoded, charged, limit, cost, later), expected, limit, later, random);
            }
        });
    }

    @Test
    public void refundsNothingOfAChargeThatIsGone() {
        walk((limit, state, now, random) -> {
            long remaining = remaining(state, limit, now);
            if (remaining > 0) {
                long cost = 1 + (long) (random.nextDouble() * remaining);
                S charged = take(state, limit, cost, now);
                long later = now + 1 + random.nextInt(1_000);
                S reset = algorithm().take(algorithm().fresh(limit, later), limit, cost, later);
                assertSameFromNowOn(refund(reset, charged, limit, cost, later), reset, limit, later, random);
                long gone = complete().fullAtMicros(charged, limit, now) + random.nextInt(1_000);
                if (gone < HORIZON) {
                    S recharged = take(charged, limit, cost, gone);
                    S unchanged = copy(recharged);
                    assertSameFromNowOn(refund(recharged, charged, limit, cost, gone), unchanged, limit, gone, random);
                }
            }
        });
    }

    /** If the algorithm reserves slots, no later request gets a slot before an earlier reservation. */
    @Test
    public void letsNobodyOvertakeAReservedSlot() {
        walk((limit, state, now, random) -> {
            long cost = someCost(limit, state, now, random);
            long wait = wait(state, limit, cost, now);
            if (wait > 0 && complete().reserves(state, limit, cost)) {
                S reserved = take(state, limit, cost, now);
                assertThat(wait(reserved, limit, 1, now)).isGreaterThanOrEqualTo(wait);
                assertThat(remaining(reserved, limit, now)).isZero();
            }
        });
    }

    /** Every accepted limit has an effect. */
    @Test
    public void deniesOneOfNPlusOneRequestsAtOnce() {
        for (Limit limit : limits()) {
            for (long now : new long[] {START, START - START % limit.periodMicros(), START + 1}) {
                S state = algorithm().fresh(limit, now);
                assertThat(complete().remaining(state, limit, now))
                        .as("%s", limit)
                        .isEqualTo(limit.burst());
                for (int i = 0; i < 50 && remaining(state, limit, now) > 0; i++) {
                    state = algorithm().take(state, limit, i < 49 ? 1 : remaining(state, limit, now), now);
                }
                assertThat(wait(state, limit, 1, now)).as("%s", limit).isPositive();
            }
        }
    }

    @Test
    public void neverAllowsWhatExceedsTheCapacity() {
        for (Limit limit : limits()) {
            BoundPlan boundPlan = new BoundPlan(Plan.of(limit), Algorithms.of(List.of(algorithm())));
            DecisionAssert.assertThat(boundPlan.take(boundPlan.fresh(START), "somebody", limit.burst() + 1, 0, START))
                    .isImpossible()
                    .hasRemaining(limit.burst());
        }
    }

    @Test
    public void allowsNothingUnderALimitOfZero() {
        for (long period : PERIODS) {
            Limit limit =
                    Limit.of(0).per(new Window.Span(period)).using(algorithm().id());
            BoundPlan boundPlan = new BoundPlan(Plan.of(limit), Algorithms.of(List.of(algorithm())));
            DecisionAssert.assertThat(boundPlan.take(boundPlan.fresh(START), "somebody", 1, 0, START))
                    .isImpossible()
                    .hasRemaining(0);
            DecisionAssert.assertThat(boundPlan.take(boundPlan.fresh(START), "somebody", 1, period, START + 3 * period))
                    .isImpossible();
            DecisionAssert.assertThat(boundPlan.peek(boundPlan.fresh(START), "somebody", 1, START + period))
                    .isImpossible();
        }
    }
}
