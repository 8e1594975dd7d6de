package io.headgate.spring.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.spring.RuleLines;
import io.headgate.spring.Running;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * CATALOGUE I10: whatever Spring or the server makes of forwarded headers, only our trusted proxies are believed. Tomcat's own
 * valve has a list of them itself, which everybody in this test is on unless it is told otherwise.
 */
class ForwardStrategyTest {

    @ParameterizedTest
    @CsvSource({
        "servlet, framework",
        "servlet, native",
        "servlet, none",
        "reactive, framework",
        "reactive, native",
        "reactive, none"
    })
    void believesOnlyTrustedProxies(String type, String strategy) {
        BiFunction<Class<?>, String[], Running> start = type.equals("servlet") ? Running::servlet : Running::reactive;
        try (Running running = start.apply(
                MvcSecurityTest.Application.class,
                new RuleLines()
                        .rule("any", "/any", "limits=1/h")
                        .and(
                                "server.forward-headers-strategy=" + strategy,
                                "server.tomcat.remoteip.internal-proxies=127\\.1\\..*",
                                "headgate.trusted-proxies=127.1.0.0/16",
                                SecuritySuite.WITHOUT_SPRING_SECURITY))) {
            Target target = () -> running;
            String client = Target.stranger();
            String victim = Target.behindProxy();
            target.spend(client, "GET /any");
            for (String header :
                    List.of("X-Forwarded-For: " + victim, "Forwarded: for=" + victim, "X-Forwarded-For: 127.1.0.1")) {
                target.isLimited(header, target.ask(client, "GET /any", header));
            }
            assertThat(target.ask(Target.proxy(), "GET /any", "X-Forwarded-For: " + victim)
                            .status())
                    .isEqualTo(200);
            target.isLimited(
                    "spoofed", target.ask(Target.proxy(), "GET /any", "X-Forwarded-For: 192.0.2.9, " + victim));
        }
    }
}
