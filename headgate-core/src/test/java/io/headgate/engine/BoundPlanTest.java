package io.headgate.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.Algorithm;
import io.headgate.Algorithms;
import io.headgate.Decision;
import io.headgate.EachAlgorithm;
import io.headgate.Headgate;
import io.headgate.Lifetime;
import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.Standing;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BoundPlanTest {

    private static final Algorithms ALGORITHMS = Headgate.algorithms();
    private static final long NOW = 1_790_000_000_000_000L;
    private static final long SECOND = 1_000_000;

    private static BoundPlan judge(Limit... limits) {
        return new BoundPlan(Plan.of(limits), ALGORITHMS);
    }

    private static BoundPlan judge(String... limits) {
        return new BoundPlan(Plan.parse(limits), ALGORITHMS);
    }

    private static Limit window(String text) {
        return Limit.parse(text).using("fixed-window");
    }

    /** The state after so much was taken from a fresh one. */
    private static Object spent(BoundPlan boundPlan, long cost) {
        return stamp(boundPlan.take(boundPlan.fresh(NOW), "alice", cost, 0, NOW));
    }

    private static Object stamp(Decision decision) {
        return ((Grant) decision).stamp();
    }

    private static List<Long> remaining(BoundPlan boundPlan, Object state) {
        return boundPlan.peek(state, "alice", 1, NOW).standings().stream()
                .map(Standing::remaining)
                .toList();
    }

    /** Known bug C6. */
    @Test
    void grantsWhatEveryLimitGrantsAndNamesTheOneWithTheLeastLeft() {
        BoundPlan boundPlan = judge("10/min", "5/h", "5/day");

        Decision decision = boundPlan.take(boundPlan.fresh(NOW), "alice", 2, 0, NOW);

        assertThat(decision.allowed()).isTrue();
        assertThat(decision.limit()).isEqualTo(Limit.parse("5/h"));
        assertThat(decision.remaining()).isEqualTo(3);
        assertThat(decision.resetAfter())
                .isEqualTo(Duration.ofDays(1).dividedBy(5).multipliedBy(2));
        assertThat(decision.standings()).extracting(Standing::remaining).containsExactly(8L, 3L, 3L);
        assertThat(decision.standings()).extracting(Standing::retryAfterMicros).containsOnly(0L);
    }

    @Test
    void deniesWithTheLongestWait() {
        BoundPlan boundPlan = judge("2/min", "2/h", "100/s");

        Decision.Denied denied = (Decision.Denied) boundPlan.take(spent(boundPlan, 2), "alice", 1, 0, NOW);

        assertThat(denied.limit()).isEqualTo(Limit.parse("2/h"));
        assertThat(denied.retryAfter()).isEqualTo(Duration.ofMinutes(30));
        assertThat(denied.remaining()).isZero();
        assertThat(denied.resetAfter()).isEqualTo(Duration.ofHours(1));
        assertThat(denied.standings())
                .extracting(Standing::retryAfter)
                .containsExactly(Duration.ofSeconds(30), Duration.ofMinutes(30), Duration.ZERO);
    }

    /** Known bug C4: waiting for the others would be in vain. */
    @ParameterizedTest
    @ValueSource(longs = {0, 3_600_000_000L})
    void callsImpossibleWhatOneLimitCanNeverGrant(long maxWaitMicros) {
        BoundPlan boundPlan = judge("10/min", "3/h");
        Object state = spent(boundPlan, 3);

        Decision decision = boundPlan.take(state, "alice", 4, maxWaitMicros, NOW);

        assertThat(decision).isInstanceOf(Decision.Impossible.class);
        assertThat(decision.limit()).isEqualTo(Limit.parse("3/h"));
        assertThat(decision.remaining()).isZero();
        assertThat(decision.standings()).extracting(Standing::retryAfterMicros).containsExactly(0L, Standing.NEVER);
        assertThat(boundPlan.take(state, "alice", 11, maxWaitMicros, NOW).limit())
                .isEqualTo(Limit.parse("10/min"));
        assertThat(judge("3/h").take(judge("3/h").fresh(NOW), "alice", 4, maxWaitMicros, NOW))
                .isInstanceOf(Decision.Impossible.class);
    }

    /** Known bug T9. */
    @EachAlgorithm
    void grantsNothingUnderALimitOfZero(String algorithm) {
        BoundPlan boundPlan = judge(Limit.parse("0/s").using(algorithm));

        Decision decision = boundPlan.take(boundPlan.fresh(NOW), "alice", 1, 0, NOW);

        assertThat(decision).isInstanceOf(Decision.Impossible.class);
        assertThat(decision.remaining()).isZero();
        assertThat(decision.resetAfter()).isZero();
        assertThat(boundPlan.fullAtMicros(boundPlan.fresh(NOW), NOW)).isLessThanOrEqualTo(NOW);
    }

    @Test
    void answersWithoutTakingWhenAskedToPeek() {
        BoundPlan boundPlan = judge("5/min");
        Object state = spent(boundPlan, 3);

        Grant peeked = (Grant) boundPlan.peek(state, "alice", 2, NOW);

        assertThat(peeked.remaining()).isEqualTo(2);
        assertThat(peeked.stamp()).isNull();
        assertThat(peeked.refundable()).isZero();
        assertThat(boundPlan.peek(state, "alice", 3, NOW)).isInstanceOf(Decision.Denied.class);
        assertThat(boundPlan.peek(state, "alice", 6, NOW)).isInstanceOf(Decision.Impossible.class);
    }

    @Test
    void reservesASlotAheadIfTheWaitIsShortEnough() {
        BoundPlan boundPlan = judge("2/min");
        Object state = spent(boundPlan, 2);

        Decision.Allowed granted = (Decision.Allowed) boundPlan.take(state, "alice", 1, 30 * SECOND, NOW);

        assertThat(granted.delay()).isEqualTo(Duration.ofSeconds(30));
        assertThat(boundPlan.take(state, "alice", 1, 30 * SECOND - 1, NOW)).isInstanceOf(Decision.Denied.class);
    }

    @Test
    void reservesWithTheLongestDelayOfItsBuckets() {
        BoundPlan boundPlan = judge("2/min", "2/h");

        Decision.Allowed granted =
                (Decision.Allowed) boundPlan.take(spent(boundPlan, 2), "alice", 1, 3_600 * SECOND, NOW);

        assertThat(granted.delay()).isEqualTo(Duration.ofMinutes(30));
    }

    /** Known bug T3: charged now and started later, it would count in the wrong window. */
    @Test
    void reservesNothingBesideAWindow() {
        BoundPlan boundPlan = judge(Limit.parse("2/min"), window("100/h"));

        Decision decision = boundPlan.take(spent(boundPlan, 2), "alice", 1, 3_600 * SECOND, NOW);

        assertThat(decision)
                .isInstanceOfSatisfying(
                        Decision.Denied.class,
                        denied -> assertThat(denied.retryAfter()).isEqualTo(Duration.ofSeconds(30)));
    }

    /** Known bug A11: what was spent stays spent, under the name of the limit that it was spent under. */
    @Test
    void carriesEachLimitOverByItsId() {
        BoundPlan before = judge(
                Limit.parse("10/min"), window("20/h"), Limit.parse("50/day").named("daily"));
        Object state = spent(before, 4);

        BoundPlan after = judge(Limit.parse("60/day").named("daily"), window("6/h"), Limit.parse("3/min"));

        assertThat(remaining(after, carried(before, state, after))).containsExactly(56L, 2L, 0L);
    }

    @Test
    void startsAfreshWhatItDidNotKnow() {
        BoundPlan before = judge(Limit.parse("10/min").named("calls"));
        Object state = spent(before, 4);

        assertThat(remaining(judge("10/min"), carried(before, state, judge("10/min"))))
                .as("renamed")
                .containsExactly(10L);
        BoundPlan window = judge(window("10/min").named("calls"));
        assertThat(remaining(window, carried(before, state, window)))
                .as("another algorithm")
                .containsExactly(10L);
        BoundPlan more = judge(Limit.parse("7/h"), Limit.parse("10/min").named("calls"));
        assertThat(remaining(more, carried(before, state, more))).as("one more").containsExactly(7L, 6L);
    }

    private static Object carried(BoundPlan from, Object state, BoundPlan to) {
        return new KeyState(from, state, RetiredLimits.NONE).under(to, NOW).state();
    }

    /** Known bug T4: a clock that stepped back grants nothing and wedges nothing. */
    @EachAlgorithm
    void keepsWhatWasSpentWhenTheClockStepsBack(String algorithm) {
        BoundPlan boundPlan = judge(Limit.parse("4/min").using(algorithm), Limit.parse("100/h"));
        Object state = spent(boundPlan, 3);
        long earlier = NOW - 3_600 * SECOND;

        Decision decision = boundPlan.peek(state, "alice", 4, earlier);

        assertThat(decision).isInstanceOf(Decision.Denied.class);
        assertThat(((Decision.Denied) decision).retryAfter()).isLessThanOrEqualTo(Duration.ofMinutes(2));
        Object mended = boundPlan.rebase(boundPlan.copy(state), earlier);
        assertThat(boundPlan.peek(mended, "alice", 4, earlier)).isEqualTo(decision);
        assertThat(boundPlan.rebase(mended, earlier)).isSameAs(mended);
        assertThat(boundPlan.peek(mended, "alice", 4, earlier + 120 * SECOND).allowed())
                .isTrue();
    }

    @Test
    void isFullWhenItsSlowestLimitIs() {
        BoundPlan boundPlan = judge("10/min", "10/h");

        assertThat(boundPlan.fullAtMicros(spent(boundPlan, 1), NOW)).isEqualTo(NOW + 360 * SECOND);
    }

    @Test
    void copiesWhatStatesShare() {
        BoundPlan boundPlan = judge(Limit.parse("4/min").using("sliding-window-log"), Limit.parse("9/min"));
        Object state = spent(boundPlan, 1);
        assertThat(boundPlan.sharesMemory()).isTrue();
        assertThat(judge("4/min").sharesMemory()).isFalse();

        Object copy = boundPlan.copy(state);
        Object more = stamp(boundPlan.take(state, "alice", 3, 0, NOW));
        Object other = stamp(boundPlan.take(copy, "alice", 2, 0, NOW + SECOND));

        assertThat(remaining(boundPlan, more)).containsExactly(0L, 5L);
        assertThat(boundPlan.peek(other, "alice", 1, NOW + 60 * SECOND).standings())
                .extracting(Standing::remaining)
                .containsExactly(2L, 9L);
    }

    /** Known bug A3: a denial has nothing to undo. */
    @Test
    void leavesTheStateAsItWasWhenItDenies() {
        BoundPlan boundPlan =
                judge(Limit.parse("10/min"), window("3/h"), Limit.parse("5/h").using("sliding-window-log"));
        Object state = spent(boundPlan, 3);
        List<Long> before = remaining(boundPlan, state);

        assertThat(boundPlan.take(state, "alice", 1, 0, NOW)).isInstanceOf(Decision.Denied.class);
        assertThat(boundPlan.take(state, "alice", 4, 0, NOW)).isInstanceOf(Decision.Impossible.class);

        assertThat(remaining(boundPlan, state)).isEqualTo(before).containsExactly(7L, 0L, 2L);
        assertThat(boundPlan.rebase(state, NOW)).isSameAs(state);
    }

    @Test
    void rejectsAPlanItsAlgorithmsCannotKeep() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> judge(Limit.parse("10/min burst 20").using("fixed-window")))
                .withMessage("limit '10/min burst 20 fixed-window': a burst needs the algorithm token-bucket,"
                        + " not fixed-window");
    }

    /** Known bug C13: a user's algorithm that fails does so where the decision is made, and a policy is at hand, not where it is read. */
    @Test
    void asksAUsersAlgorithmAtOnce() {
        assertThatThrownBy(() -> take(new Failing())).hasMessage("nobody knows");
    }

    /** Even one that says otherwise: a state that others write into is another one later. */
    @Test
    void asksAtOnceWhereStatesShareMemory() {
        assertThatThrownBy(() -> take(new FailingEngine(true))).hasMessage("nobody knows");
        assertThat(take(new FailingEngine(false)).remaining()).isEqualTo(4);
    }

    @Test
    void asksNoAlgorithmAboutALimitOfZero() {
        Algorithm<Long> dividing = new Lifetime("dividing") {
            @Override
            public Long fresh(Limit limit, long nowMicros) {
                return 0 / limit.permits();
            }
        };
        BoundPlan boundPlan = new BoundPlan(
                Plan.of(
                        Limit.parse("0/min").using("dividing"),
                        Limit.parse("0/min").using("sliding-window-log")),
                Headgate.algorithms().with(dividing));
        Object state = boundPlan.copy(boundPlan.fresh(NOW));

        assertThat(boundPlan.take(state, "alice", 1, 0, NOW)).isInstanceOf(Decision.Impossible.class);
    }

    private static Decision take(Algorithm<?> algorithm) {
        BoundPlan boundPlan = new BoundPlan(
                Plan.of(Limit.parse("5/min").using(algorithm.id())),
                Headgate.algorithms().with(algorithm));
        return boundPlan.take(boundPlan.fresh(0), "alice", 1, 0, 0);
    }

    /** Does not know when a budget is full again. */
    private static final class Failing extends Lifetime {

        Failing() {
            super("failing");
        }

        @Override
        public long waitMicros(Long state, Limit limit, long cost, long nowMicros) {
            if (state > 0) {
                throw new IllegalStateException("nobody knows");
            }
            return 0;
        }
    }

    private static final class FailingEngine extends Lifetime implements EngineAlgorithm<Long> {

        private final boolean sharesMemory;

        FailingEngine(boolean sharesMemory) {
            super("failing");
            this.sharesMemory = sharesMemory;
        }

        @Override
        public long remaining(Long state, Limit limit, long nowMicros) {
            return limit.permits() - state;
        }

        @Override
        public long fullAtMicros(Long state, Limit limit, long nowMicros) {
            throw new IllegalStateException("nobody knows");
        }

        @Override
        public boolean sharesMemory() {
            return sharesMemory;
        }
    }
}
