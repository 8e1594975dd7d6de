package io.headgate.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.Limit;
import java.util.List;
import org.junit.jupiter.api.Test;

class VerdictTest {

    private static final Limit LIMIT = Limit.parse("10/min");

    private final Verdict much = Verdict.of(rule("much"), Decision.Allowed.of(LIMIT, "alice", 1, 9, 0, 0, null));
    private final Verdict little = Verdict.of(rule("little"), Decision.Allowed.of(LIMIT, "alice", 1, 2, 0, 0, null));
    private final Verdict refused = Verdict.of(rule("refused"), new Decision.Denied(LIMIT, 0, 1, 1, List.of()));

    @Test
    void tellsOfBothStagesAndIsAsStrictAsTheStricterOne() {
        for (Verdict both : List.of(much.and(little), little.and(much))) {
            assertThat(both.allowed()).isTrue();
            assertThat(both.decision()).isSameAs(little.decision());
            assertThat(both.checks()).hasSize(2);
        }
    }

    /** Such as a method that is called again and again for one request, maybe for several subjects. */
    @Test
    void keepsTheStricterDecisionOfARuleThatDecidedTwice() {
        Verdict again = Verdict.of(rule("much"), Decision.Allowed.of(LIMIT, "alice", 1, 8, 0, 0, null));
        assertThat(much.and(little).and(again).checks())
                .containsExactly(again.checks().get(0), little.checks().get(0));
        assertThat(again.and(much).checks()).isEqualTo(again.checks());
    }

    @Test
    void isARefusalAloneOnceThereIsOne() {
        assertThat(much.and(refused)).isSameAs(refused);
    }

    @Test
    void isTheOtherWhereOneLimitsNothing() {
        assertThat(Verdict.PASS.and(much)).isSameAs(much);
        assertThat(much.and(Verdict.PASS)).isSameAs(much);
        assertThat(Verdict.PASS.and(Verdict.PASS).decision()).isNull();
    }

    private static Rule rule(String name) {
        return Rule.named(name).paths("/**").limits("10/min").build();
    }
}
