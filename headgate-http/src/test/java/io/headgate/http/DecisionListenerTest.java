package io.headgate.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.FailurePolicy;
import io.headgate.Limit;
import io.headgate.StoreException;
import io.headgate.engine.Grant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DecisionListenerTest {

    /** A listener that cares for decisions alone is a lambda, and failures pass it by. */
    @Test
    void needNotCareForFailures() {
        List<String> told = new ArrayList<>();
        DecisionListener listener = (scope, decision, enforced) -> told.add(scope);

        listener.failed("api", FailurePolicy.LOCAL, new StoreException("down"));
        listener.decided("api", Grant.of(Limit.parse("1/s"), "alice", 1, 0, 0, 0, null), true);

        assertThat(told).containsExactly("api");
    }
}
