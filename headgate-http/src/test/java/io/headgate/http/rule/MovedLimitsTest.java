package io.headgate.http.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Headgate;
import io.headgate.TimeSource;
import io.headgate.http.LedgerFactory;
import io.headgate.http.Rule;
import io.headgate.http.RuleSet;
import io.headgate.http.subject.StandardSubjects;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Who changes rules in force is told when that gives somebody a fresh budget. */
class MovedLimitsTest {

    private final RuleCompiler compiler = new RuleCompiler(
            StandardSubjects.builder().build(),
            LedgerFactory.of(Headgate.builder().build()),
            TimeSource.system(),
            Map.of(),
            Map.of());

    private List<String> warnings(Rule.Builder before, Rule.Builder after) {
        return MovedLimits.between(set(before), set(after));
    }

    private RuleSet set(Rule.Builder rule) {
        return compiler.compile(List.of(rule.paths("/api/**").build()));
    }

    private static Rule.Builder limits(String... limits) {
        return Rule.named("api").limits(limits);
    }

    @Test
    void warnsOfALimitThatIsPutInFront() {
        String names = "; to keep its budget when limits move, give a limit a name: \"3/s named spikes\"";
        assertThat(warnings(limits("5/min"), limits("1/s", "5/min")))
                .containsExactly("rule 'api': 5/min has moved to a new position and starts with a full budget" + names);
        assertThat(warnings(limits("5/min"), limits("1/s", "9/min")))
                .as("with other numbers")
                .containsExactly("rule 'api': 9/min has moved to a new position and starts with a full budget" + names);
        assertThat(warnings(limits("5/min", "20/h"), limits("20/h", "5/min")))
                .as("swapped")
                .containsExactly(
                        "rule 'api': 20/h has moved to the position of 5/min and takes over what was spent there"
                                + names,
                        "rule 'api': 5/min has moved to the position of 20/h and takes over what was spent there"
                                + names);
        assertThat(warnings(limits("1/s", "5/min"), limits("5/min")))
                .as("taken away from the front")
                .containsExactly(
                        "rule 'api': 5/min has moved to the position of 1/s and takes over what was spent there"
                                + names);
    }

    @Test
    void isSilentWhenEveryBudgetGoesOn() {
        assertThat(warnings(limits("5/min"), limits("1/s named spikes", "5/min")))
                .isEmpty();
        assertThat(warnings(limits("5/min"), limits("5/min", "20/h"))).isEmpty();
        assertThat(warnings(limits("5/min", "20/h"), limits("9/min", "40/h"))).isEmpty();
        assertThat(warnings(limits("5/min", "5/min"), limits("5/min", "5/min"))).isEmpty();
        assertThat(warnings(limits("5/min"), limits("5/h"))).isEmpty();
        assertThat(warnings(limits("5/min"), limits("5/min").algorithm("fixed-window")))
                .isEmpty();
        assertThat(warnings(limits("5/min"), Rule.named("other").limits("1/s", "5/min")))
                .isEmpty();
    }
}
