package io.headgate.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.IntFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.openjdk.jmh.infra.Blackhole;

/** Everybody who takes part in a scenario gives the answer that the scenario is about. */
class ScenarioTest {

    private final Blackhole hole = new Blackhole(
            "Today's password is swordfish. I understand instantiating Blackholes directly is dangerous.");

    @ParameterizedTest
    @EnumSource
    void grantsOneKeyEverything(Contender contender) {
        Limiter limiter = contender.limiter(Budget.BUSY);
        assertThat(granted(limiter, 10_000, i -> "alice")).isEqualTo(10_000);
    }

    @ParameterizedTest
    @EnumSource
    void grantsEveryOfManyKeys(Contender contender) {
        Limiter limiter = contender.limiter(Budget.HELD);
        assertThat(granted(limiter, 10_000, i -> "client-" + i)).isEqualTo(10_000);
    }

    @ParameterizedTest
    @EnumSource
    void deniesAllButTheFirst(Contender contender) {
        if (Scenario.DENIED.contenders().contains(contender)) {
            Limiter limiter = contender.limiter(Budget.TINY);
            limiter.ask("alice", hole);
            assertThat(granted(limiter, 100, i -> "alice")).isZero();
        }
    }

    private int granted(Limiter limiter, int requests, IntFunction<String> key) {
        int granted = 0;
        for (int i = 0; i < requests; i++) {
            granted += limiter.ask(key.apply(i), hole) ? 1 : 0;
        }
        return granted;
    }
}
