package io.headgate.spring.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.spring.RuleLines;
import io.headgate.spring.Running;
import io.headgate.spring.line.JettyReactive;
import io.headgate.spring.line.TomcatReactive;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * Known bug I10: whatever Spring or the server makes of forwarded headers, only our trusted proxies are believed. Tomcat's own
 * valve has a list of them itself, which everybody in this test is on unless it is told otherwise.
 */
class ForwardStrategyTest {

    enum Server {
        TOMCAT(false, MvcSecurityTest.Application.class),
        JETTY(false, MvcOnJettySecurityTest.Application.class),
        REACTOR_NETTY(true, MvcSecurityTest.Application.class),
        REACTIVE_TOMCAT(true, OnTomcat.class),
        REACTIVE_JETTY(true, OnJetty.class);

        private final boolean reactive;
        private final Class<?> application;

        Server(boolean reactive, Class<?> application) {
            this.reactive = reactive;
            this.application = application;
        }

        Running start(String[] properties) {
            return reactive ? Running.reactive(application, properties) : Running.servlet(application, properties);
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({TomcatReactive.class, SecuritySuite.Api.class, SecuritySuite.Time.class})
    static class OnTomcat {}

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({SecuritySuite.Api.class, SecuritySuite.Time.class})
    static class OnJetty {

        @Bean
        JettyReactive server(@Value("${server.forward-headers-strategy}") String strategy) {
            JettyReactive factory = new JettyReactive();
            factory.setUseForwardHeaders(strategy.equals("native"));
            return factory;
        }
    }

    static Stream<Arguments> serversAndStrategies() {
        return Arrays.stream(Server.values())
                .flatMap(server ->
                        Stream.of("framework", "native", "none").map(strategy -> Arguments.of(server, strategy)));
    }

    @ParameterizedTest
    @MethodSource("serversAndStrategies")
    void believesOnlyTrustedProxies(Server server, String strategy) {
        try (Running running = server.start(new RuleLines()
                .rule("any", "/any", "limits=1/h")
                .and(
                        "server.forward-headers-strategy=" + strategy,
                        "server.tomcat.remoteip.internal-proxies=127\\.1\\..*",
                        "headgate.trusted-proxies=127.1.0.0/16",
                        Running.WITHOUT_SPRING_SECURITY))) {
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
