package io.headgate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.Operation;
import io.headgate.Plan;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls for keys whose state has been {@linkplain Sightings seen}, and what others may have done to it since. */
class SeenKeysTest extends StateFixture {

    private final Backend elsewhere =
            new ScriptBackend(link, Names.readable("rl:"), Headgate.algorithms(), new Scripts(), Clocks.SYSTEM);
    private Duration passed = Duration.ZERO;

    /** The clock of this machine, set forward as the test likes. */
    private final Clocks clocks = new Clocks() {
        @Override
        public long wallMicros() {
            return Clocks.SYSTEM.wallMicros() + passed.toNanos() / 1_000;
        }

        @Override
        public long nanos() {
            return Clocks.SYSTEM.nanos();
        }
    };

    /** Nothing has been seen yet, and the log has every call in it. */
    @BeforeEach
    void seeNothing() {
        backend = new ScriptBackend(link, Names.readable("rl:"), Headgate.algorithms(), new Scripts(), clocks);
        redis.commands().configSet("slowlog-log-slower-than", "0");
        redis.commands().slowlogReset();
    }

    /** All but the leaky bucket, which has one at a time. */
    static List<String> budgets() {
        return algorithms().stream()
                .filter(each -> !each.equals("leaky-bucket"))
                .toList();
    }

    private static Plan plan(String algorithm) {
        return Plan.of(limit("10/day", algorithm));
    }

    private static String other(String algorithm) {
        return algorithm.equals("fixed-window") ? "token-bucket" : "fixed-window";
    }

    private void elsewhere(Plan plan) {
        assertThat(elsewhere
                        .run(KEY, plan, List.of(Operation.ONE))
                        .join()
                        .get(0)
                        .allowed())
                .isTrue();
    }

    /** How many keys each script call so far was given, the oldest first. */
    private static List<String> keysOfCalls() {
        List<String> keys = redis.commands().slowlogGet(100).stream()
                .map(entry -> (List<?>) ((List<?>) entry).get(3))
                .filter(command -> command.get(0).equals("EVALSHA"))
                .map(command -> command.get(2).toString())
                .toList();
        redis.commands().slowlogReset();
        return Stream.iterate(keys.size() - 1, i -> i >= 0, i -> i - 1)
                .map(keys::get)
                .toList();
    }

    /** Runs a script in full first, so that what is counted is calls by its digest. */
    private static void learn(Plan plan) {
        run(plan, Operation.PEEK);
        keysOfCalls();
    }

    /** A plan whose state has been seen, with three of ten permits spent. */
    private static Plan seen(String algorithm) {
        Plan plan = plan(algorithm);
        learn(plan);
        run(plan, new Operation.Take(3, 0));
        keysOfCalls();
        return plan;
    }

    @ParameterizedTest
    @MethodSource("budgets")
    void areMadeWithTheirNameAlone(String algorithm) {
        Plan plan = plan(algorithm);
        learn(plan);
        for (int taken = 1; taken <= 4; taken++) {
            assertThat(run(plan, Operation.ONE).remaining()).isEqualTo(10 - taken);
        }
        assertThat(keysOfCalls()).containsExactly("2", "1", "1", "1");
    }

    /** What was first elsewhere is over, and what was second there is where it was kept meanwhile. */
    @ParameterizedTest
    @MethodSource("budgets")
    void findAStateThatWasMovedElsewhere(String algorithm) {
        Plan plan = seen(algorithm);
        elsewhere(Plan.of(limit("10/day", other(algorithm)), limit("10/day", algorithm)));
        redis.commands().del(FIRST);
        keysOfCalls();

        Decision next = run(plan, Operation.ONE);
        assertThat(next.allowed()).isTrue();
        assertThat(next.remaining()).isEqualTo(5);
        assertThat(keysOfCalls()).containsExactly("1", "2", "3");
    }

    @ParameterizedTest
    @MethodSource("budgets")
    void findAStateBehindAnotherThatIsInItsPlace(String algorithm) {
        Plan plan = seen(algorithm);
        elsewhere(plan(other(algorithm)));

        keysOfCalls();

        assertThat(run(plan, Operation.ONE).remaining()).isEqualTo(6);
        assertThat(keysOfCalls()).containsExactly("1", "2", "3");
        assertThat(run(plan(other(algorithm)), Operation.PEEK).remaining()).isEqualTo(9);
    }

    @ParameterizedTest
    @MethodSource("budgets")
    void startAnewOnceTheStateIsGone(String algorithm) {
        Plan plan = seen(algorithm);
        redis.commands().del(FIRST);

        assertThat(run(plan, Operation.ONE).remaining()).isEqualTo(9);
        assertThat(run(plan, Operation.ONE).remaining()).isEqualTo(8);
        assertThat(keysOfCalls()).containsExactly("1", "2", "1");
    }

    /** Whoever comes seldom costs one call as well, and nothing that others ask has to tell us that time has passed. */
    @ParameterizedTest
    @MethodSource("budgets")
    void nameEverythingOnceTheBudgetIsFull(String algorithm) {
        Plan plan = Plan.of(limit("10 per 3s", algorithm));
        learn(plan);
        for (int visit = 0; visit < 3; visit++) {
            run(plan, Operation.ONE);
            redis.commands().del(FIRST); // as it expires
            passed = passed.plusSeconds(10); // two windows and more
        }
        assertThat(keysOfCalls()).containsExactly("2", "2", "2");
    }

    @Test
    void areMadeWithTheirNameAloneForWindowsOfACalendarAndLimitsWithAName() {
        for (Plan plan : List.of(
                Plan.of(limit("10 per calendar-day Europe/Berlin", "fixed-window")),
                Plan.of(limit("10/day", "token-bucket").named("it")))) {
            empty();
            seeNothing();
            learn(plan);
            run(plan, Operation.ONE);
            assertThat(run(plan, Operation.ONE).remaining()).isEqualTo(8);
            assertThat(keysOfCalls()).containsExactly("2", "1");
        }
    }

    @Test
    void areMadeWithTheirNameAloneForSeveralAtOnce() {
        Plan plan = plan("token-bucket");
        learn(plan);
        List<Operation> three = List.of(Operation.ONE, new Operation.Take(2, 0), Operation.ONE);
        backend.run(KEY, plan, three).join();
        backend.run(KEY, plan, List.of(Operation.ONE, Operation.PEEK)).join();
        List<Decision> last = backend.run(KEY, plan, three).join();
        assertThat(last.get(2).remaining()).isEqualTo(1);
        assertThat(keysOfCalls()).containsExactly("2", "2", "1");
    }

    /** A reset removes what was kept for a plan with another first limit, too. */
    @Test
    void nameEverythingForAResetAndAfterIt() {
        Plan plan = plan("token-bucket");
        learn(plan);
        run(plan, Operation.ONE);
        run(plan, Operation.RESET);
        run(plan, Operation.ONE);
        run(plan, Operation.ONE);
        assertThat(keysOfCalls()).containsExactly("2", "2", "2", "1");
    }

    /** A log whose permits have all come back is not there any more. */
    @Test
    void nameEverythingOnceALogIsEmpty() {
        Plan plan = plan("sliding-window-log");
        learn(plan);
        Decision.Allowed first = (Decision.Allowed) run(plan, Operation.ONE);
        Decision.Allowed second = (Decision.Allowed) run(plan, Operation.ONE);
        run(plan, new Operation.Refund(first));
        run(plan, new Operation.Refund((Decision.Allowed) run(plan, Operation.ONE)));
        run(plan, new Operation.Refund(second));
        run(plan, Operation.ONE);
        assertThat(keysOfCalls()).containsExactly("2", "1", "2", "1", "2", "2", "2");
    }

    @Test
    void nameEverythingForAPlanOfSeveralLimits() {
        Plan plan = Plan.of(limit("10/day", "token-bucket"), limit("5/day", "fixed-window"));
        learn(plan);
        run(plan, Operation.ONE);
        run(plan, Operation.ONE);
        assertThat(keysOfCalls()).containsExactly("3", "3");
    }
}
