package io.headgate.redis.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.redis.TestRedis;
import io.headgate.redis.TestRedis.Kept;
import io.lettuce.core.ScoredValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a log keeps in a real Redis that is told the time. */
class LogTest {

    private static final Key KEY = new Key("login", "alice");
    private static final String LOG = "{rl:login:alice}:sliding-window-log:0";
    private static final Plan PLAN = Plan.of(Limit.parse("40/min").using("sliding-window-log"));
    private static final long START = 1_700_000_000_000_000L;
    private static final long SECOND = 1_000_000;

    private static TestRedis redis;
    private static RedisAtSetTime told;

    @BeforeAll
    static void start() {
        redis = TestRedis.start();
        told = new RedisAtSetTime(redis, 0);
    }

    @AfterAll
    static void stop() {
        told.close();
        redis.close();
    }

    @BeforeEach
    void empty() {
        told.clear();
    }

    /** As an operator sees it: the times of the permits as their scores, and before them one member about the log. */
    @Test
    void readsAsAListOfTimes() {
        take(START, 1);
        take(START + SECOND, 2);

        assertThat(redis.commands().zrangeWithScores(LOG, 0, -1).stream().map(ScoredValue::getScore))
                .containsExactly(-1d, (double) START, (double) (START + SECOND), (double) (START + SECOND));
        assertThat(redis.commands().zrange(LOG, 0, -1))
                .allSatisfy(name -> assertThat(name)
                        .matches(name.startsWith("s7") ? "(?s).{27}" : "(?s).{7}\\x00\\x00\\x00[\\x00\\x01]"));
    }

    /** One every two seconds, so that 30 count: nothing else is there. */
    @Test
    void forgetsWhatIsTooOldWithEveryGrant() {
        for (int i = 0; i < 200; i++) {
            take(START + i * 2L * SECOND, 1);
            assertThat(permits()).isEqualTo(Math.min(i + 1, 30));
        }
    }

    /** Known bug A4: nobody keeps a log alive or makes it longer by being denied. */
    @Test
    void aDenialLeavesItAsItIs() {
        take(START, 40);
        Map<String, Kept> before = told.look();
        for (int i = 0; i < 5; i++) {
            assertThat(told.run(START + i, KEY, PLAN, List.of(Operation.ONE))
                            .get(0)
                            .allowed())
                    .isFalse();
        }

        assertThat(told.look().get(LOG).value()).isEqualTo(before.get(LOG).value());
        assertThat(told.look().get(LOG).ttlMillis())
                .isLessThanOrEqualTo(before.get(LOG).ttlMillis());
    }

    /** A clock that steps back moves to one time what counts, and nothing else. */
    @Test
    void takesBackWhatStandsBesidePermitsThatTheClockHasMoved() {
        take(START, 1);
        take(START + 61 * SECOND, 1);
        long before = START - 10 * SECOND;
        Decision.Allowed receipt = (Decision.Allowed)
                told.run(before, KEY, PLAN, List.of(Operation.ONE)).get(0);
        assertThat(receipt.remaining()).isEqualTo(38);

        List<Decision> after = told.run(before + 1, KEY, PLAN, List.of(new Operation.Refund(receipt)));

        assertThat(after.get(0).remaining()).isEqualTo(39);
    }

    /** What counted under a longer window counts again when that returns, whatever was asked or spent meanwhile. */
    @Test
    void remembersWhatALongerWindowCounted() {
        Plan minute = Plan.of(Limit.parse("10/min").using("sliding-window-log"));
        Plan second = Plan.of(Limit.parse("10/s").using("sliding-window-log"));
        told.run(START, KEY, minute, List.of(new Operation.Take(7, 0)));

        Decision shorter = told.run(START + 10 * SECOND, KEY, second, List.of(new Operation.Take(2, 0)))
                .get(0);
        assertThat(shorter.remaining()).isEqualTo(8);
        assertThat(shorter.resetAfter()).isEqualTo(Duration.ofSeconds(1));
        long margin = Duration.ofHours(1).toMillis(); // of this Redis, which is told the time
        assertThat(redis.commands().pttl(LOG)).isBetween(margin + 55_000, margin + 60_000);

        assertThat(told.run(START + 50 * SECOND, KEY, minute, List.of(Operation.PEEK))
                        .get(0)
                        .remaining())
                .isEqualTo(1);
        assertThat(told.run(START + 61 * SECOND, KEY, minute, List.of(Operation.PEEK))
                        .get(0)
                        .remaining())
                .isEqualTo(8);
    }

    /** As in two calls: a log that was taken back altogether is gone, and the next one has the window of its own time. */
    @Test
    void startsAnewInTheSameCallOnceAllIsTakenBack() {
        Plan minute = Plan.of(Limit.parse("10/min").using("sliding-window-log"));
        Plan second = Plan.of(Limit.parse("10/s").using("sliding-window-log"));
        Decision.Allowed only = (Decision.Allowed)
                told.run(START, KEY, minute, List.of(Operation.ONE)).get(0);
        told.run(START + SECOND / 2, KEY, second, List.of(new Operation.Refund(only), Operation.ONE));

        assertThat(told.run(START + 10 * SECOND, KEY, minute, List.of(Operation.PEEK))
                        .get(0)
                        .remaining())
                .isEqualTo(10);
    }

    /** However busy the key is under a shorter window, the log has no more permits than its largest N could use. */
    @Test
    void staysAsSmallAsItsLargestLimit() {
        Plan hour = Plan.of(Limit.parse("20/h").using("sliding-window-log"));
        Plan second = Plan.of(Limit.parse("5/s").using("sliding-window-log"));
        told.run(START, KEY, hour, List.of(Operation.ONE));
        for (int i = 1; i <= 200; i++) {
            told.run(START + i * SECOND / 2, KEY, second, List.of(Operation.ONE));
            assertThat(permits()).isLessThanOrEqualTo(32);
        }

        Decision after = told.run(START + 101 * SECOND, KEY, hour, List.of(Operation.ONE))
                .get(0);

        assertThat(after).isInstanceOf(Decision.Denied.class);
        assertThat(((Decision.Denied) after).retryAfter())
                .isEqualTo(Duration.ofSeconds(3600 - 1 - 9).minusMillis(500));
    }

    /** A clock that steps back moves more of them than one command may carry. */
    @Test
    void movesThousandsOfPermits() {
        Plan plan = Plan.of(Limit.parse("3000/min").using("sliding-window-log"));
        told.run(START, KEY, plan, List.of(new Operation.Take(1300, 0)));
        told.run(START + 1, KEY, plan, List.of(new Operation.Take(1200, 0)));

        Decision after =
                told.run(START - SECOND, KEY, plan, List.of(Operation.ONE)).get(0);

        assertThat(after.remaining()).isEqualTo(499);
        assertThat(after.resetAfter()).isEqualTo(Duration.ofMinutes(1));
        assertThat(permits()).isEqualTo(2501);
    }

    /**
     * What there was no room for under a shorter window still counts under the longer one, in number, once the later ones are taken
     * back; and nothing of it is taken back.
     */
    @Test
    void countsWhatItHadNoRoomFor() {
        Plan minute = Plan.of(Limit.parse("10/min").using("sliding-window-log"));
        Plan second = Plan.of(Limit.parse("10/s").using("sliding-window-log"));
        Decision.Allowed earliest = (Decision.Allowed)
                told.run(START, KEY, minute, List.of(Operation.ONE)).get(0);
        told.run(START, KEY, minute, List.of(new Operation.Take(9, 0)));
        Decision.Allowed ten =
                (Decision.Allowed) told.run(START + 2 * SECOND, KEY, second, List.of(new Operation.Take(10, 0)))
                        .get(0);
        assertThat(permits()).isEqualTo(16);

        told.run(START + 2 * SECOND, KEY, second, List.of(new Operation.Refund(ten)));
        told.run(START + 2 * SECOND, KEY, minute, List.of(new Operation.Refund(earliest)));

        assertThat(permits()).isEqualTo(6);
        Decision denied = told.run(START + 3 * SECOND, KEY, minute, List.of(Operation.ONE))
                .get(0);
        assertThat(denied)
                .isInstanceOfSatisfying(
                        Decision.Denied.class,
                        wait -> assertThat(wait.retryAfter()).isEqualTo(Duration.ofSeconds(57)));
        assertThat(told.run(START + 60 * SECOND, KEY, minute, List.of(Operation.PEEK))
                        .get(0)
                        .remaining())
                .isEqualTo(10);
    }

    /** Also when nothing else is left of it. */
    @Test
    void countsWhatItHadNoRoomForWhenNothingElseIsLeft() {
        Plan minute = Plan.of(Limit.parse("2/min").using("sliding-window-log"));
        Plan second = Plan.of(Limit.parse("2/s").using("sliding-window-log"));
        told.run(START, KEY, minute, List.of(new Operation.Take(2, 0)));
        Decision.Allowed two =
                (Decision.Allowed) told.run(START + 2 * SECOND, KEY, second, List.of(new Operation.Take(2, 0)))
                        .get(0);
        told.run(START + 2 * SECOND, KEY, second, List.of(new Operation.Refund(two)));
        assertThat(permits()).isZero();

        assertThat(told.run(START + 3 * SECOND, KEY, minute, List.of(Operation.ONE))
                        .get(0)
                        .allowed())
                .isFalse();
        assertThat(told.run(START + 60 * SECOND, KEY, minute, List.of(Operation.ONE))
                        .get(0)
                        .remaining())
                .isEqualTo(1);
    }

    /** However many have become too old: those that count are told from those that do not by looking at a few. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 8, 9, 16, 17, 30, 38, 39})
    void findsHowManyHaveBecomeTooOld(int late) {
        for (int i = 0; i < 40; i++) {
            take(START + i * SECOND, 1);
        }
        long now = START + (59L + late) * SECOND;

        assertThat(take(now, 1)).isEqualTo(late - 1);
        assertThat(permits()).isEqualTo(41 - late);
        Decision denied =
                told.run(now, KEY, PLAN, List.of(new Operation.Take(late, 0))).get(0);
        assertThat(denied)
                .isInstanceOfSatisfying(
                        Decision.Denied.class,
                        wait -> assertThat(wait.retryAfter()).isEqualTo(Duration.ofSeconds(1)));
    }

    /** Any of them: what is left stands as if it had never been there. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 15, 16, 29, 30, 31})
    void takesBackAChargeWhereverItIs(int place) {
        List<Decision.Allowed> charges = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            charges.add((Decision.Allowed) told.run(START + i / 4 * SECOND, KEY, PLAN, List.of(Operation.ONE))
                    .get(0));
        }
        Operation refund = new Operation.Refund(charges.get(place));
        long now = START + 8 * SECOND;

        assertThat(told.run(now, KEY, PLAN, List.of(refund)).get(0).remaining()).isEqualTo(9);
        for (int second = 0; second < 8; second++) { // four of each, but three of that one
            long left = 28 - 4L * second + (second < place / 4 ? -1 : 0);
            Decision then = told.run(START + (60 + second) * SECOND, KEY, PLAN, List.of(Operation.PEEK))
                    .get(0);
            assertThat(then.remaining()).as("after %s s", second).isEqualTo(40 - left);
        }
    }

    /** Of a charge of several permits all go, and of another of the same time only as many as were asked for. */
    @Test
    void takesBackAllPermitsOfACharge() {
        Decision.Allowed four = (Decision.Allowed)
                told.run(START, KEY, PLAN, List.of(new Operation.Take(4, 0))).get(0);
        take(START, 3);
        take(START + SECOND, 2);

        Decision after = told.run(START + 2 * SECOND, KEY, PLAN, List.of(new Operation.Refund(four)))
                .get(0);

        assertThat(after.remaining()).isEqualTo(35);
        assertThat(permits()).isEqualTo(5);
    }

    @Test
    void leavesNothingOnceEverythingIsTakenBack() {
        take(START - 61 * SECOND, 1);
        Decision.Allowed receipt = (Decision.Allowed)
                told.run(START, KEY, PLAN, List.of(Operation.ONE)).get(0);
        assertThat(permits()).isOne();

        Decision after = told.run(START + SECOND, KEY, PLAN, List.of(new Operation.Refund(receipt)))
                .get(0);

        assertThat(after.remaining()).isEqualTo(40);
        assertThat(told.look()).isEmpty();
        assertThat(take(START + SECOND, 1)).isEqualTo(39);
    }

    /** Limits with other names have other keys. */
    @Test
    void tellsNamesApart() {
        Plan one = Plan.of(Limit.parse("5/min").using("sliding-window-log").named("one"));
        Plan two = Plan.of(Limit.parse("5/min").using("sliding-window-log").named("two"));
        for (Plan plan : List.of(one, two, PLAN, one, two, PLAN)) {
            told.run(START, KEY, plan, List.of(new Operation.Take(2, 0)));
        }

        assertThat(told.run(START, KEY, one, List.of(Operation.PEEK)).get(0).remaining())
                .isEqualTo(1);
        assertThat(told.run(START, KEY, two, List.of(Operation.PEEK)).get(0).remaining())
                .isEqualTo(1);
        assertThat(told.run(START, KEY, PLAN, List.of(Operation.PEEK)).get(0).remaining())
                .isEqualTo(36);
    }

    /** What it takes to keep every permit: little in a small log, which Redis packs; in one of more than 128 some 110 bytes each, more or less by chance: Redis draws the levels of its lists. */
    @ParameterizedTest
    @CsvSource({"1, 250", "100, 3500", "1000, 140000"})
    void keepsFewBytesForAPermit(int permits, long budget) {
        Plan plan = Plan.of(Limit.parse("1000/min").using("sliding-window-log"));
        for (int i = 0; i < permits; i++) {
            told.run(START + i, KEY, plan, List.of(Operation.ONE));
        }

        long bytes = redis.commands().memoryUsage(LOG);
        System.out.println(
                "sliding-window-log: " + bytes + " bytes for " + permits + " under a name of " + LOG.length());
        assertThat(bytes).isLessThanOrEqualTo(budget);
    }

    private static long permits() {
        return redis.commands().zcard(LOG) - 1;
    }

    /** Returns what remains. */
    private static long take(long nowMicros, long cost) {
        Decision decision = told.run(nowMicros, KEY, PLAN, List.of(new Operation.Take(cost, 0)))
                .get(0);
        assertThat(decision.allowed()).isTrue();
        return decision.remaining();
    }
}
