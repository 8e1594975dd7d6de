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
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

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

    /** One every two seconds, so that 30 count: besides them and the seal never more than seven are there. */
    @Test
    void forgetsWhatIsTooOldEightAtATime() {
        long most = 0;
        for (int i = 0; i < 200; i++) {
            take(START + i * 2L * SECOND, 1);
            long counts = Math.min(i + 1, 30);
            long old = redis.commands().zcard(FIRST) - 1 - counts;
            most = Math.max(most, old);
        }

        assertThat(most).isEqualTo(7);
    }

    @Test
    void forgetsMoreAtOnceIfMoreIsTooOld() {
        take(START, 30);
        take(START + 61 * SECOND, 1);

        assertThat(redis.commands().zcard(FIRST)).isEqualTo(2);
    }

    /** What was there before does not count, so neither can it be taken back. */
    @Test
    void takesNothingBackThatIsTooOldAndStillThere() {
        Decision.Allowed receipt = (Decision.Allowed)
                told.run(START, KEY, PLAN, List.of(Operation.ONE)).get(0);
        take(START + 61 * SECOND, 3);
        assertThat(redis.commands().zcard(FIRST)).isEqualTo(5);

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

    /** Whoever shortens a window forgives what is too old for it, also if nothing is spent while it is short. */
    @Test
    void writesDownAShorterWindowThoughNothingCountsInIt() {
        Limit other = Limit.parse("2/day").using("fixed-window");
        Plan minute = Plan.of(Limit.parse("5/min").using("sliding-window-log"), other);
        Plan second = Plan.of(Limit.parse("5/s").using("sliding-window-log"), other);
        told.run(START, KEY, minute, List.of(new Operation.Take(2, 0)));
        Decision denied = told.run(START + 10 * SECOND, KEY, second, List.of(Operation.ONE))
                .get(0);
        assertThat(denied.allowed()).isFalse();

        Decision after = told.run(START + 20 * SECOND, KEY, minute, List.of(Operation.PEEK))
                .get(0);

        assertThat(after.limits().get(0).remaining()).isEqualTo(5);
    }

    /** More than the log has bytes to count, whatever cap it was given. */
    @Test
    void refusesMorePermitsThanItCanCount() {
        Algorithms endless = Headgate.algorithms().with(BuiltIn.slidingWindowLog(Integer.MAX_VALUE));
        Plan most = Plan.of(Limit.parse("16777215/min").using("sliding-window-log"));
        Plan more = Plan.of(Limit.parse("16777216/min").using("sliding-window-log"));

        Program.check(most, endless);
        Program.check(more, Headgate.algorithms().with(new DistantLog())); // another class of that id is not ours
        assertThatThrownBy(() -> Program.check(more, endless))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 16777215 permits");
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
        assertThat(redis.commands().zcard(FIRST)).isEqualTo(2502);
    }

    /** Where it shows, nobody is let in on it, and a reset mends it. */
    @Test
    void resetsALogThatSomebodyElseTookFrom() {
        for (int i = 0; i < 34; i++) {
            take(START + i * SECOND, 1);
        }
        Decision.Allowed receipt = (Decision.Allowed)
                told.run(START + 34 * SECOND, KEY, PLAN, List.of(Operation.ONE)).get(0);
        redis.commands().zremrangebyrank(FIRST, 0, -3);

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
        redis.commands().zadd(FIRST, 0, "somebody else's");

        assertThat(take(START + 10 * SECOND, 1)).isEqualTo(29);
        assertUnreadable(START + 65 * SECOND, Operation.ONE);
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
