package io.headgate.http.response;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Limit;
import io.headgate.http.Rule;
import org.junit.jupiter.api.Test;

class PoliciesTest {

    private static final Limit LIMIT = Limit.parse("100/min");

    private final Policies policies = new Policies();

    @Test
    void putsAPolicyIntoWordsOnce() {
        Rule rule = Rule.named("api").build();
        Policy policy = policies.of(rule, LIMIT, true);
        assertThat(policy.text()).isEqualTo("\"api\";q=100;w=60");
        assertThat(policies.of(rule, LIMIT, true)).isSameAs(policy);
    }

    /** The limit of a rule that was replaced while the application runs. */
    @Test
    void tellsOfTheLimitInForce() {
        Rule rule = Rule.named("api").build();
        policies.of(rule, LIMIT, true);
        assertThat(policies.of(rule, Limit.parse("7/s"), true).text()).isEqualTo("\"api\";q=7;w=1");
    }

    @Test
    void remembersNoLimitsOfSubjects() {
        Rule rule = Rule.named("api").planResolver("plans").build();
        assertThat(policies.of(rule, LIMIT, true).text()).isEqualTo("\"api\";q=100;w=60");
        assertThat(policies.size()).isZero();
    }

    @Test
    void doesNotGrowForEver() {
        for (int i = 0; i < 3 * Policies.MOST; i++) {
            policies.of(Rule.named("rule" + i).build(), LIMIT, true);
            assertThat(policies.size()).isLessThanOrEqualTo(Policies.MOST);
        }
    }
}
