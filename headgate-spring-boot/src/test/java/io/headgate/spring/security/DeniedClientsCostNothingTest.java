package io.headgate.spring.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.rig.RedisServer;
import io.headgate.spring.RuleLines;
import io.headgate.spring.Running;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is denied and keeps asking costs Redis nothing while that is remembered, also where a ceiling by address is asked first. */
class DeniedClientsCostNothingTest {

    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void besideACeiling(String type) {
        BiFunction<Class<?>, String[], Running> start = type.equals("servlet") ? Running::servlet : Running::reactive;
        try (RedisServer redis = RedisServer.start();
                Running running = start.apply(
                        WebFluxSecurityTest.Application.class,
                        new RuleLines()
                                .rule("ceiling", "/**", "limits=1000/h", "match=all")
                                .rule("keyed", "/keyed", "limits=1/h", "subject=api-key")
                                .and(
                                        "headgate.store=redis",
                                        "spring.data.redis.port=" + redis.port(),
                                        "headgate.guard.deadline=20s",
                                        "headgate.redis.timeout=20s",
                                        Running.WITHOUT_SPRING_SECURITY))) {
            assertThat(running.statuses(2, "/keyed", "X-API-Key", "k")).containsExactly(200, 429);
            List<Long> calls = IntStream.range(0, 20)
                    .mapToObj(i -> {
                        long before = redis.calls("evalsha") + redis.calls("eval");
                        assertThat(running.get("/keyed", "X-API-Key", "k").statusCode())
                                .isEqualTo(429);
                        return redis.calls("evalsha") + redis.calls("eval") - before;
                    })
                    .toList();

            // Not all, since what is remembered is forgotten after a second.
            assertThat(calls.stream().filter(cost -> cost == 0).count()).isGreaterThan(10);
        }
    }
}
