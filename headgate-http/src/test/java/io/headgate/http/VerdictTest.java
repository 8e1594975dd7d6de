package io.headgate.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.Limit;
import io.headgate.engine.Grant;
import java.util.List;
import org.junit.jupiter.api.Test;

class VerdictTest {

    private static final Limit LIMIT = Limit.parse("10/min");

    private final Verdict much = Verdict.of("much", Grant.of(LIMIT, "alice", 1, 9, 0, 0, null));
    private final Verdict little = Verdict.of("little", Grant.of(LIMIT, "alice", 1, 2, 0, 0, null));
    private final Verdict denied = Verdict.of("denied", new Decision.Denied(LIMIT, 0, 1, 1, List.of()));

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
        Verdict again = Verdict.of("much", Grant.of(LIMIT, "alice", 1, 8, 0, 0, null));
        assertThat(much.and(little).and(again).checks())
                .containsExactly(again.checks().get(0), little.checks().get(0));
        assertThat(again.and(much).checks()).isEqualTo(again.checks());
    }

    @Test
    void isADenialAloneOnceThereIsOne() {
        assertThat(much.and(denied)).isSameAs(denied);
    }

    @Test
    void isTheOtherWhereOneLimitsNothing() {
        assertThat(Verdict.PASS.and(much)).isSameAs(much);
        assertThat(much.and(Verdict.PASS)).isSameAs(much);
        assertThat(Verdict.PASS.and(Verdict.PASS).decision()).isNull();
    }

    /** What a log or a debugger shows: whom nobody limits is not in it. */
    @Test
    void readsAsASentence() {
        assertThat(denied.toString()).isEqualTo("Verdict[" + denied.rule() + ": " + denied.decision() + "]");
        assertThat(Verdict.PASS).hasToString("Verdict[pass]");
        assertThat(Rule.named("login")
                        .paths("/api/login", "/login")
                        .exclude("/login/help")
                        .methods("POST", "PUT")
                        .subject("api-key", "ip")
                        .limits("5/min", "20/h")
                        .algorithm("sliding-window-log")
                        .behavior(Rule.Behavior.SHADOW)
                        .bypass("a-secret-key")
                        .build())
                .hasToString(
                        "Rule[login: POST|PUT /api/login, /login except /login/help, 5/min + 20/h per api-key or ip,"
                                + " sliding-window-log, shadow]");
        assertThat(Rule.named("api").paths("/**").limits("10/min").build())
                .hasToString("Rule[api: /**, 10/min per ip]");
    }
}
