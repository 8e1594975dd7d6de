package io.headgate.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.StoreException;
import io.headgate.StoreException.Reason;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a log keeps of permits that are too old to count, in a real Redis that is told the time. */
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

    /** It says nothing while nothing depends on it, and does not let anybody in by mistake once something does. */
    @Test
    void findsOutThatSomebodyElseWroteIntoIt() {
        for (int i = 0; i < 10; i++) {
            take(START + i * SECOND, 1);
        }
        redis.commands().zadd(FIRST, 0, "somebody else's");

        assertThat(take(START + 10 * SECOND, 1)).isEqualTo(29);
        assertThatThrownBy(() -> take(START + 65 * SECOND, 1))
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
