package io.headgate.redis.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.Key;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.redis.TestRedis.Kept;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is kept in a real Redis, at its own time: for how long, and how much of it. */
class StateTest extends StateFixture {

    /** Known bug C3: on every path, and again once it was lost. */
    @ParameterizedTest
    @MethodSource("algorithms")
    void everyPathLeavesATtlAndMendsOneThatWasLost(String algorithm) {
        Plan plan = Plan.of(
                Limit.of(1).per(Duration.ofDays(1)).using(algorithm),
                limit("2/day", "fixed-window").named("x"));
        Decision.Allowed receipt = (Decision.Allowed) run(plan, Operation.ONE);
        assertTtls(2);
        List<Operation> paths = List.of(
                Operation.ONE, // denied
                Operation.PEEK,
                new Operation.Take(9, 0), // impossible
                new Operation.Refund(receipt),
                Operation.ONE); // granted
        for (Operation operation : paths) {
            redis.look().keySet().forEach(key -> redis.commands().persist(key));
            run(plan, operation);
            boolean emptied = operation instanceof Operation.Refund && algorithm.equals("sliding-window-log");
            assertTtls(emptied ? 1 : 2);
        }
    }

    /** Known bug C3: a window sets its TTL once, and looks at it afterwards. */
    @Test
    void aWindowThatGoesOnMendsATtlThatWasLost() {
        Plan plan = Plan.of(limit("5/day", "fixed-window"));
        Decision.Allowed receipt = (Decision.Allowed) run(plan, new Operation.Take(2, 0));
        for (Operation operation : List.of(Operation.ONE, new Operation.Refund(receipt))) {
            redis.commands().persist(keyOf("fixed-window"));
            run(plan, operation);
            assertTtls(1);
        }
    }

    /** Known bug C3: here nobody knows when the budget is full. */
    @ParameterizedTest
    @MethodSource("algorithms")
    void aLimitOfZeroMendsATtlThatWasLost(String algorithm) {
        run(Plan.of(limit("5/day", algorithm)), Operation.ONE);
        redis.commands().persist(keyOf(algorithm));
        run(Plan.of(limit("0/day", algorithm)), Operation.PEEK);

        assertTtls(1);
    }

    /** Known bug A11: whoever keeps asking while a limit is 0 does not get rid of what it had spent. */
    @ParameterizedTest
    @MethodSource("algorithms")
    void aLimitOfZeroKeepsWhatWasSpentBefore(String algorithm) {
        Plan five = Plan.of(limit("5/day", algorithm));
        Plan none = Plan.of(limit("0/day", algorithm));
        Decision.Allowed receipt = (Decision.Allowed) run(five, new Operation.Take(4, 0));
        Map<String, Kept> before = redis.look();
        for (Operation operation : List.of(Operation.ONE, Operation.PEEK, new Operation.Refund(receipt))) {
            assertThat(run(none, operation)).isInstanceOf(Decision.Impossible.class);
        }

        assertThat(redis.look().get(keyOf(algorithm)).value())
                .isEqualTo(before.get(keyOf(algorithm)).value());
        assertThat(redis.look().get(keyOf(algorithm)).ttlMillis())
                .isGreaterThan(before.get(keyOf(algorithm)).ttlMillis() - 60_000);
        assertThat(run(five, new Operation.Take(2, 0)).allowed()).isFalse();
    }

    /** Known bugs C2, R4: the shortest windows are kept, and nothing is left once they are over. */
    @Test
    void leavesNothingBehindOnceBudgetsAreFull() {
        List<Limit> limits = algorithms().stream()
                .map(algorithm -> Limit.of(3).per(Duration.ofMillis(1)).using(algorithm))
                .toList();
        long start = System.nanoTime();
        run(new Plan(limits), Operation.ONE);
        Map<String, Kept> kept = redis.look();
        long passed = Duration.ofNanos(System.nanoTime() - start).toMillis() + 1;

        assertThat(kept)
                .hasSameSizeAs(limits)
                .allSatisfy((name, state) -> assertThat(state.ttlMillis()).isBetween(1_000 - passed, 1_010L));
        long deadline = System.nanoTime() + Duration.ofSeconds(5).toNanos();
        while (!redis.look().isEmpty() && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        assertThat(redis.look()).isEmpty();
    }

    /** Known bug R3: the budget of the issue, against the integer 1 with a TTL under the same name. */
    @ParameterizedTest
    @CsvSource({
        "token-bucket, 80",
        "leaky-bucket, 80",
        "fixed-window, 80",
        "sliding-window-counter, 80",
        "sliding-window, 200"
    })
    void keepsFewBytes(String algorithm, long budget) {
        String key = keyOf(algorithm);
        redis.commands().psetex(key, 60_000, "1");
        long plain = redis.commands().memoryUsage(key);
        redis.commands().flushall();
        run(Plan.of(limit("1000000/day", algorithm)), Operation.ONE);

        long more = redis.commands().memoryUsage(key) - plain;
        System.out.println(algorithm + ": " + (plain + more) + " bytes under a name of " + key.length() + ", " + more
                + " more than an integer");
        assertThat(more).isLessThanOrEqualTo(budget);
    }

    /** Every limit keeps what it has spent, whichever is first and however often that changes. */
    @Test
    void changingTheAlgorithmStartsANewBudgetAndChangingBackContinuesTheOld() {
        for (String one : algorithms()) {
            for (String other : algorithms()) {
                redis.commands().flushall();
                Plan first = Plan.of(limit("1/day", one));
                Plan second = Plan.of(limit("1/day", other).named("other"));
                assertThat(run(first, Operation.ONE).allowed()).isTrue();
                assertThat(run(second, Operation.ONE).allowed())
                        .as(one + " then " + other)
                        .isTrue();
                assertThat(run(first, Operation.ONE).allowed()).isFalse();
                assertThat(run(second, Operation.ONE).allowed()).isFalse();
            }
        }
    }

    /** Known bug T5: the microsecond that is kept is one that Redis has just read. */
    @Test
    void losesNoDigitOfTheTime() {
        long before = time();
        run(Plan.of(limit("5/day", "token-bucket")), Operation.ONE);
        long after = time();

        String value = redis.commands().get(keyOf("token-bucket"));
        long at = 0;
        for (int i = 2; i < 9; i++) {
            at = (at << 8) | value.charAt(i);
        }
        assertThat(at).isBetween(before, after);
    }

    /** Known bug T1: our clock only guesses which windows to send, and is put right by the answer. */
    @ParameterizedTest
    @ValueSource(longs = {-4_000, -40, 0, 40, 4_000})
    void findsTheWindowOfACalendarWhateverOurClockSays(long days) {
        long wrongByMicros = Duration.ofDays(days).toMillis() * 1_000;
        ScriptBinder skewed = new ScriptBinder(
                link::run,
                Names.readable("rl:"),
                Headgate.algorithms(),
                link.timeout(),
                () -> System.currentTimeMillis() * 1_000 + wrongByMicros);
        Plan plan = Plan.parse("5 per calendar-month Europe/Berlin");
        for (int left = 4; left >= 0; left--) {
            Decision decision = skewed.bind(plan)
                    .run(KEY, List.of(Operation.ONE), System.nanoTime())
                    .join()
                    .get(0);
            assertThat(decision.remaining()).isEqualTo(left);
        }
        assertThat(run(plan, Operation.ONE)).isInstanceOf(Decision.Denied.class);
    }

    @Test
    void survivesTheLossOfAllScripts() {
        Plan plan = Plan.of(limit("5/day", "token-bucket"));
        run(plan, Operation.ONE);
        redis.commands().scriptFlush();

        assertThat(run(plan, Operation.ONE).remaining()).isEqualTo(3);
    }

    /** Known bug K05: not even in the values. */
    @Test
    void keepsNothingThatAClientTyped() {
        ScriptBinder hashed = TestScripts.of(link, Names.hashed("rl:"), Headgate.algorithms());
        for (String algorithm : algorithms()) {
            Plan plan =
                    Plan.of(limit("5/day", algorithm), limit("9/day", algorithm).named("x"));
            hashed.bind(plan)
                    .run(
                            new Key("secret-scope-" + algorithm, "secret-subject"),
                            List.of(Operation.ONE),
                            System.nanoTime())
                    .join();
        }
        assertThat(redis.look()).hasSize(12);
        for (String key : redis.look().keySet()) {
            assertThat(key + new String(redis.commands().dump(key), StandardCharsets.ISO_8859_1))
                    .doesNotContain("secret");
        }
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void runsManyLimits(String algorithm) {
        List<Limit> twenty = IntStream.range(0, 20)
                .mapToObj(i -> limit("5/day", algorithm).named("n" + i))
                .toList();

        assertThat(run(new Plan(twenty), Operation.ONE).allowed()).isTrue();
        assertThat(redis.look()).hasSize(20);
    }

    private static long time() {
        List<String> time = redis.commands().time();
        return Long.parseLong(time.get(0)) * 1_000_000 + Long.parseLong(time.get(1));
    }

    private static void assertTtls(int keys) {
        assertThat(redis.look()).hasSize(keys);
        redis.look().forEach((key, kept) -> assertThat(kept.ttlMillis()).as(key).isPositive());
    }
}
