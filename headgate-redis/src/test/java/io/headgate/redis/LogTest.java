package io.headgate.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.Algorithms;
import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.Key;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.StoreException;
import io.headgate.StoreException.Reason;
import io.headgate.algorithm.BuiltIn;
import io.headgate.redis.TestRedis.Kept;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
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
    private static final String FIRST = "rl:login:alice";
    private static final Plan PLAN = Plan.of(Limit.parse("40/min").using("sliding-window-log"));
    private static final long START = 1_700_000_000_000_000L;
    private static final long SECOND = 1_000_000;

    private static TestRedis redis;
    private static ToldRedis told;

    @BeforeAll
    static void start() {
        redis = TestRedis.start();
        told = new ToldRedis(redis, 0);
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

    /** One every two seconds, so that 30 count: besides them never more than seven are there. */
    @Test
    void forgetsWhatIsTooOldEightAtATime() {
        long most = 0;
        for (int i = 0; i < 200; i++) {
            take(START + i * 2L * SECOND, 1);
            long counts = Math.min(i + 1, 30);
            long old = redis.commands().llen(FIRST) - counts;
            most = Math.max(most, old);
        }

        assertThat(most).isEqualTo(7);
    }

    @Test
    void forgetsMoreAtOnceIfMoreIsTooOld() {
        take(START, 30);
        take(START + 61 * SECOND, 1);

        assertThat(redis.commands().llen(FIRST)).isEqualTo(1);
    }

    /** What was there before does not count, so neither can it be taken back. */
    @Test
    void takesNothingBackThatIsTooOldAndStillThere() {
        Decision.Allowed receipt = (Decision.Allowed)
                told.run(START, KEY, PLAN, List.of(Operation.ONE)).get(0);
        take(START + 61 * SECOND, 3);
        assertThat(redis.commands().llen(FIRST)).isEqualTo(4);

        List<Decision> after = told.run(START + 30 * SECOND, KEY, PLAN, List.of(new Operation.Refund(receipt)));

        assertThat(after.get(0).remaining()).isEqualTo(37);
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
        assertThat(redis.commands().pttl(FIRST)).isBetween(margin + 55_000, margin + 60_000);

        assertThat(told.run(START + 50 * SECOND, KEY, minute, List.of(Operation.PEEK))
                        .get(0)
                        .remaining())
                .isEqualTo(1);
        assertThat(told.run(START + 61 * SECOND, KEY, minute, List.of(Operation.PEEK))
                        .get(0)
                        .remaining())
                .isEqualTo(8);
    }

    /** However busy the key is under a shorter window, the log has no more permits than its largest N could use. */
    @Test
    void staysAsSmallAsItsLargestLimit() {
        Plan hour = Plan.of(Limit.parse("20/h").using("sliding-window-log"));
        Plan second = Plan.of(Limit.parse("5/s").using("sliding-window-log"));
        told.run(START, KEY, hour, List.of(Operation.ONE));
        for (int i = 1; i <= 200; i++) {
            told.run(START + i * SECOND / 2, KEY, second, List.of(Operation.ONE));
            assertThat(redis.commands().llen(FIRST)).isLessThan(32 + 8);
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
        assertThat(redis.commands().llen(FIRST)).isEqualTo(2501);
    }

    /** Where it shows, nobody is let in on it, and a reset mends it. */
    @Test
    void resetsALogThatSomebodyElseTookFrom() {
        for (int i = 0; i < 34; i++) {
            take(START + i * SECOND, 1);
        }
        Decision.Allowed receipt = (Decision.Allowed)
                told.run(START + 34 * SECOND, KEY, PLAN, List.of(Operation.ONE)).get(0);
        redis.commands().ltrim(FIRST, -1, -1);

        assertUnreadable(START + 35 * SECOND, new Operation.Take(20, 0));
        assertUnreadable(START + 35 * SECOND, new Operation.Refund(receipt));
        assertUnreadable(START + 65 * SECOND, Operation.ONE);
        assertUnreadable(START + 65 * SECOND, Operation.PEEK);
        Decision after = told.run(START + 65 * SECOND, KEY, PLAN, List.of(Operation.RESET))
                .get(0);
        assertThat(after.remaining()).isEqualTo(40);
    }

    /** It says nothing while nothing depends on it, and does not let anybody in by mistake once something does. */
    @Test
    void findsOutThatSomebodyElseWroteIntoIt() {
        for (int i = 0; i < 10; i++) {
            take(START + i * SECOND, 1);
        }
        redis.commands().lpush(FIRST, "somebody else's");

        assertThat(take(START + 10 * SECOND, 1)).isEqualTo(29);
        assertUnreadable(START + 65 * SECOND, Operation.ONE);
    }

    /** What is moved to another time is not guessed at either. */
    @Test
    void movesNothingInALogThatSomebodyElseTookFrom() {
        take(START, 3);
        take(START + SECOND, 1);
        redis.commands().lpop(FIRST);
        Map<String, Kept> before = told.look();

        assertUnreadable(START - SECOND, Operation.ONE);
        assertThat(told.look().get(FIRST).value()).isEqualTo(before.get(FIRST).value());
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
        assertThat(redis.commands().llen(FIRST)).isEqualTo(late < 8 ? 41 : 41 - late);
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
        assertThat(redis.commands().llen(FIRST)).isEqualTo(5);
    }

    @Test
    void leavesNothingOnceEverythingIsTakenBack() {
        take(START - 61 * SECOND, 1);
        Decision.Allowed receipt = (Decision.Allowed)
                told.run(START, KEY, PLAN, List.of(Operation.ONE)).get(0);
        assertThat(redis.commands().llen(FIRST)).isEqualTo(2);

        Decision after = told.run(START + SECOND, KEY, PLAN, List.of(new Operation.Refund(receipt)))
                .get(0);

        assertThat(after.remaining()).isEqualTo(40);
        assertThat(told.look()).isEmpty();
        assertThat(take(START + SECOND, 1)).isEqualTo(39);
    }

    /** The state of a limit with a name says so in every permit, and is not taken for that of another. */
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

    /** A permit takes 29 bytes and the name of its limit, and what a list needs around it. */
    @ParameterizedTest
    @CsvSource({"1, 250", "100, 3500", "1000, 33000"})
    void keepsFewBytesForAPermit(int permits, long budget) {
        Plan plan = Plan.of(Limit.parse("1000/min").using("sliding-window-log"));
        for (int i = 0; i < permits; i++) {
            told.run(START + i, KEY, plan, List.of(Operation.ONE));
        }

        long bytes = redis.commands().memoryUsage(FIRST);
        System.out.println(
                "sliding-window-log: " + bytes + " bytes for " + permits + " under a name of " + FIRST.length());
        assertThat(bytes).isLessThanOrEqualTo(budget);
    }

    private static void assertUnreadable(long nowMicros, Operation operation) {
        assertThatThrownBy(() -> told.run(nowMicros, KEY, PLAN, List.of(operation)))
                .as("%s", operation)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.reason()).isEqualTo(Reason.UNREADABLE));
    }

    /** Returns what remains. */
    private static long take(long nowMicros, long cost) {
        Decision decision = told.run(nowMicros, KEY, PLAN, List.of(new Operation.Take(cost, 0)))
                .get(0);
        assertThat(decision.allowed()).isTrue();
        return decision.remaining();
    }
}
