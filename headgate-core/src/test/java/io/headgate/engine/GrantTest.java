package io.headgate.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.Seeds;
import io.headgate.Standing;
import io.headgate.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class GrantTest {

    private static final Limit MINUTE = Limit.parse("10/min");
    private static final Limit HOUR = Limit.parse("100/h");
    private static final Standing OF_MINUTE = new Standing(MINUTE, 3, 0, 42_000_000, 6_000_000);
    private static final Standing OF_HOUR = new Standing(HOUR, 93, 0, 252_000_000, 36_000_000);

    @Test
    void saysOnAGrantHowItsOneLimitStands() {
        Grant granted = Grant.of(MINUTE, "alice", 2, 3, 42_000_000, 6_000_000, "stamp");

        assertThat(granted.allowed()).isTrue();
        assertThat(granted.limit()).isEqualTo(MINUTE);
        assertThat(granted.subject()).isEqualTo("alice");
        assertThat(granted.remaining()).isEqualTo(3);
        assertThat(granted.resetAfter()).isEqualTo(Duration.ofSeconds(42));
        assertThat(granted.delay()).isZero();
        assertThat(granted.stamp()).isEqualTo("stamp");
        assertThat(granted.standings()).containsExactly(OF_MINUTE);
        assertThat(granted).hasToString("Allowed[10/min: 3 remaining, full in 42s]");
    }

    /** Known bug C6: both limits are reported. */
    @Test
    void saysOnAGrantHowEachOfSeveralLimitsStands() {
        Grant granted = Standings.allowed(List.of(OF_HOUR, OF_MINUTE), "alice", 2, 1_500_000, "stamp");

        assertThat(granted.limit()).isEqualTo(MINUTE);
        assertThat(granted.remaining()).isEqualTo(3);
        assertThat(granted.resetAfter()).isEqualTo(Duration.ofSeconds(252));
        assertThat(granted.delay()).isEqualTo(Duration.ofMillis(1500));
        assertThat(granted.standings()).containsExactly(OF_HOUR, OF_MINUTE);
        assertThat(granted).hasToString("Allowed[10/min: 3 remaining, full in 4min 12s, go ahead in 1.5s]");
    }

    @Test
    void saysOnADenialHowEachLimitStands() {
        Standing denied = new Standing(MINUTE, 0, 6_000_000, 60_000_000, 0);
        Decision alone = new Decision.Denied(MINUTE, 0, 6_000_000, 60_000_000, List.of());
        Decision together = new Decision.Denied(MINUTE, 0, 6_000_000, 252_000_000, List.of(OF_HOUR, denied));

        assertThat(alone.allowed()).isFalse();
        assertThat(alone.standings()).containsExactly(denied);
        assertThat(alone.resetAfter()).isEqualTo(Duration.ofMinutes(1));
        assertThat(together.standings()).containsExactly(OF_HOUR, denied);
        assertThat(((Decision.Denied) together).retryAfter()).isEqualTo(Duration.ofSeconds(6));
        assertThat(denied.retryAfter()).isEqualTo(Duration.ofSeconds(6));
        assertThat(denied.resetAfter()).isEqualTo(Duration.ofMinutes(1));
        assertThat(denied.moreAfter()).isEqualTo(Duration.ofSeconds(6));
    }

    @Test
    void isEqualToADenialWithTheSameParts() {
        Standing standing = new Standing(MINUTE, 0, 6_000_000, 60_000_000, 6_000_000);

        assertThat(new Decision.Denied(MINUTE, 0, 6_000_000, 60_000_000, List.of(standing)))
                .isEqualTo(new Decision.Denied(MINUTE, 0, 6_000_000, 60_000_000, List.of()))
                .isNotEqualTo(new Decision.Denied(MINUTE, 0, 6_000_001, 60_000_000, List.of()));
    }

    @Test
    void tellsOnEveryDecisionWhenARetryIsWorthwhile() {
        assertThat(Grant.of(MINUTE, "alice", 1, 3, 0, 0, null).retryAfter()).isZero();
        assertThat(new Decision.Denied(MINUTE, 0, 6_000_000, 60_000_000, List.of()).retryAfter())
                .isEqualTo(Duration.ofSeconds(6));
        assertThat(new Decision.Impossible(MINUTE, 0, 0, List.of()).retryAfter())
                .isGreaterThan(Duration.ofDays(100_000_000));
    }

    /** Known bug C4: what cannot be has no time to come back at. */
    @Test
    void saysOnTheImpossibleThatWaitingDoesNotHelp() {
        Standing never = new Standing(MINUTE, 10, Standing.NEVER, 0, Standing.NEVER);
        Decision impossible = new Decision.Impossible(MINUTE, 10, 0, List.of(never));

        assertThat(impossible.allowed()).isFalse();
        assertThat(impossible.standings()).containsExactly(never);
        assertThat(impossible.resetAfter()).isZero();
    }

    /** Known bug R10: nobody who could not be asked is quoted. */
    @Test
    void saysNothingOfBudgetsWhenTheStoreFailed() {
        StoreException cause = new StoreException("down");
        Decision.Unavailable unavailable = new Decision.Unavailable(MINUTE, Duration.ofSeconds(1), cause);

        assertThat(unavailable.allowed()).isFalse();
        assertThat(unavailable.standings()).isEmpty();
        assertThat(unavailable.remaining()).isZero();
        assertThat(unavailable.resetAfter()).isEqualTo(Duration.ofSeconds(1));
    }

    /** What a log or a debugger shows. Nobody's name is in it. */
    @Test
    void readsAsASentence() {
        Decision.Denied denied = new Decision.Denied(MINUTE, 0, 5_999_999, 60_000_000, List.of());

        assertThat(denied).hasToString("Denied[10/min: 0 remaining, retry in 5.999999s, full in 1min]");
        assertThat(denied.asDegraded())
                .hasToString("Denied[10/min: 0 remaining, retry in 5.999999s, full in 1min, degraded]");
        assertThat(new Decision.Impossible(MINUTE, 10, 0, List.of()))
                .hasToString("Impossible[10/min: the cost is more than 10]");
        assertThat(new Decision.Impossible(Limit.parse("0/min"), 0, 0, List.of()))
                .hasToString("Impossible[0/min: the limit is 0]");
        assertThat(new Decision.Unavailable(MINUTE, Duration.ofMillis(250), new StoreException("down")))
                .hasToString("Unavailable[10/min: retry in 250ms, the store failed: down]");
        assertThat(new Standing(HOUR.named("calls"), 100, 0, 0, 0)).hasToString("100/h named calls: 100 remaining");
        assertThat(new Standing(MINUTE, 0, Standing.NEVER, 93_784_005_000L, 0))
                .hasToString("10/min: 0 remaining, impossible, full in 1d 2h 3min 4.005s");
        assertThat(new Standing(MINUTE, 9, 0, 1_500, 0)).hasToString("10/min: 9 remaining, full in 1.5ms");
        assertThat(Grant.of(MINUTE, "alice", 1, 9, 6_000_000, 6_000_000, "stamp")
                        .asDegraded())
                .hasToString("Allowed[10/min: 9 remaining, full in 6s, degraded]");
    }

    /** Known bug R10: what was decided without the store says so, whatever it is, and is otherwise the same. */
    @Test
    void canBeMarkedAsMadeWithoutTheStore() {
        Grant granted = Standings.allowed(List.of(OF_HOUR, OF_MINUTE), "alice", 2, 1_500_000, "stamp");
        Decision.Denied denied = new Decision.Denied(MINUTE, 0, 6_000_000, 60_000_000, List.of());
        Decision.Impossible impossible = new Decision.Impossible(MINUTE, 0, 0, List.of(OF_MINUTE));

        for (Decision decision : List.of(granted, denied, impossible)) {
            Decision marked = decision.asDegraded();
            assertThat(decision.degraded()).isFalse();
            assertThat(marked.degraded()).isTrue();
            assertThat(marked.asDegraded().degraded()).isTrue();
            assertThat(marked.allowed()).isEqualTo(decision.allowed());
            assertThat(marked.limit()).isEqualTo(decision.limit());
            assertThat(marked.remaining()).isEqualTo(decision.remaining());
            assertThat(marked.resetAfter()).isEqualTo(decision.resetAfter());
            assertThat(marked.standings()).isEqualTo(decision.standings());
            assertThat(marked.toString()).contains("degraded");
        }
        assertThat(granted.asDegraded().subject()).isEqualTo("alice");
        assertThat(granted.asDegraded().delay()).isEqualTo(granted.delay());
        assertThat(denied.asDegraded().retryAfter()).isEqualTo(denied.retryAfter());
    }

    @Test
    void isAlwaysDegradedWhenTheStoreFailed() {
        Decision unavailable = new Decision.Unavailable(MINUTE, Duration.ofSeconds(1), new StoreException("down"));

        assertThat(unavailable.degraded()).isTrue();
        assertThat(unavailable.asDegraded()).isSameAs(unavailable);
    }

    /** A mark is not a second charge: whichever of the two is handed in, it is taken back once. */
    @Test
    void staysTheReceiptOfItsOneChargeWhenMarked() {
        Object stamp = new Object();
        BoundPlan boundPlan = new BoundPlan(Plan.of(MINUTE), Headgate.algorithms());
        Grant granted = Grant.ofPacked(boundPlan, "alice", 2, 3, stamp, 7, 0);
        Grant marked = granted.asDegraded();

        assertThat(marked.stamp()).isSameAs(stamp);
        assertThat(marked.charged()).isEqualTo(granted.charged());
        assertThat(marked.refundable()).isEqualTo(2);
        assertThat(marked.claimRefund()).isEqualTo(2);
        assertThat(granted.claimRefund()).isZero();
        assertThat(marked.refundable()).isZero();
    }

    @Test
    void cannotBeChangedFromOutside() {
        List<Standing> standings = new ArrayList<>(List.of(OF_MINUTE, OF_HOUR));
        Decision denied = new Decision.Denied(MINUTE, 0, 1, 1, standings);
        Decision impossible = new Decision.Impossible(MINUTE, 0, 1, standings);
        Decision granted = Standings.allowed(standings, "alice", 1, 0, null);
        standings.clear();

        assertThat(List.of(denied, impossible, granted))
                .allSatisfy(each -> assertThat(each.standings()).hasSize(2));
    }

    @Test
    void isAReceiptForOneRefund() {
        Grant granted = Grant.of(MINUTE, "alice", 2, 3, 0, 0, "stamp");

        assertThat(granted.refundable()).isEqualTo(2);
        assertThat(granted.claimRefund()).isEqualTo(2);
        assertThat(granted.claimRefund()).isZero();
        assertThat(granted.refundable()).isZero();
    }

    @Test
    void isNoReceiptWhenNothingWasCharged() {
        Grant peeked = Grant.of(MINUTE, "alice", 2, 3, 0, 0, null);

        assertThat(peeked.refundable()).isZero();
        assertThat(peeked.claimRefund()).isZero();
    }

    @Test
    void givesTheRefundToOneOfManyThreads() throws Exception {
        int threads = 8;
        CyclicBarrier together = new CyclicBarrier(threads);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            for (int round = Seeds.rounds(100); round > 0; round--) {
                Grant granted = Grant.of(MINUTE, "alice", 2, 3, 0, 0, "stamp");
                List<Callable<Long>> claims = new ArrayList<>();
                for (int i = 0; i < threads; i++) {
                    claims.add(() -> {
                        together.await();
                        return granted.claimRefund();
                    });
                }
                long claimed = 0;
                for (Future<Long> claim : pool.invokeAll(claims)) {
                    claimed += claim.get();
                }
                assertThat(claimed).isEqualTo(2);
            }
        } finally {
            pool.shutdownNow();
        }
    }
}
