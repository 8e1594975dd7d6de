package io.headgate.http.response;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Limit;
import org.junit.jupiter.api.Test;

class PoliciesTest {

    private static final Limit LIMIT = Limit.parse("100/min");

    private final Policies policies = new Policies();

    @Test
    void putsAPolicyIntoWordsOnce() {
        Policy policy = policies.of("api", LIMIT, true);
        assertThat(policy.text()).isEqualTo("\"api\";q=100;w=60");
        assertThat(policies.of("api", LIMIT, true)).isSameAs(policy);
    }

    /** The limit of a rule that was replaced while the application runs. */
    @Test
    void tellsOfTheLimitInForce() {
        policies.of("api", LIMIT, true);
        assertThat(policies.of("api", Limit.parse("7/s"), true).text()).isEqualTo("\"api\";q=7;w=1");
    }

    /** Where subjects have plans of their own. */
    @Test
    void remembersOnePolicyOfARule() {
        assertThat(policies.of("api", LIMIT, true).text()).isEqualTo("\"api\";q=100;w=60");
        assertThat(policies.of("api", Limit.parse("7/s"), true).text()).isEqualTo("\"api\";q=7;w=1");
        assertThat(policies.size()).isEqualTo(1);
    }

    @Test
    void doesNotGrowForEver() {
        for (int i = 0; i < 3 * Policies.MOST; i++) {
            policies.of("rule" + i, LIMIT, true);
            assertThat(policies.size()).isLessThanOrEqualTo(Policies.MOST);
        }
    }
}
