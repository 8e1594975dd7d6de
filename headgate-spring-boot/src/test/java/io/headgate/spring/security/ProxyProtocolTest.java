package io.headgate.spring.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headgate.spring.Applications;
import io.headgate.spring.RuleLines;
import io.headgate.spring.Running;
import io.headgate.spring.Wire;
import io.headgate.spring.line.ProxyProtocol;
import java.lang.module.ModuleDescriptor.Version;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import reactor.netty.http.server.HttpServer;

/** Known bug I10 behind a load balancer that tells Reactor Netty of clients before any request: no header of theirs changes who they are. */
class ProxyProtocolTest {

    /** Each test has clients of its own. */
    @AutoClose
    private static final Applications<String> APPLICATIONS = new Applications<>(ProxyProtocolTest::start);

    private static final List<String> HEADERS = List.of("X-Forwarded-For: 192.0.2.9", "Forwarded: for=192.0.2.9");

    @ParameterizedTest
    @ValueSource(strings = {"none", "native", "framework"})
    void goesByTheClientWhateverItSends(String strategy) {
        assumeAddressesAreKept();
        Running running = APPLICATIONS.get(strategy);
        assertThat(ask(running, "203.0.113.7", "")).isEqualTo(200);
        assertThat(ask(running, "203.0.113.7", "")).isEqualTo(429);
        for (String header : HEADERS) {
            assertThat(ask(running, "203.0.113.7", header)).as(header).isEqualTo(429);
        }
        assertThat(ask(running, "203.0.113.8", HEADERS.get(0))).isEqualTo(200);
        assertThat(ask(running, "203.0.113.8", HEADERS.get(1))).isEqualTo(429);
        assertThat(ask(running, "203.0.113.9", "")).isEqualTo(200);
    }

    /** A trusted proxy before the load balancer is told of as any client is, and believed. */
    @ParameterizedTest
    @ValueSource(strings = {"none", "native", "framework"})
    void believesATrustedProxyInFront(String strategy) {
        assumeAddressesAreKept();
        Running running = APPLICATIONS.get(strategy);
        assertThat(ask(running, "198.51.100.1", "X-Forwarded-For: 192.0.2.1")).isEqualTo(200);
        assertThat(ask(running, "198.51.100.1", "X-Forwarded-For: 192.0.2.2")).isEqualTo(200);
        assertThat(ask(running, "198.51.100.2", "X-Forwarded-For: 192.0.2.1")).isEqualTo(429);
    }

    /** Reactor Netty before 1.3.7, which older lines of Spring Boot bring, drops the address, as the guide says. */
    private static void assumeAddressesAreKept() {
        String version = HttpServer.class.getPackage().getImplementationVersion();
        assumeTrue(Version.parse(version).compareTo(Version.parse("1.3.7")) >= 0, "Reactor Netty " + version);
    }

    /** Without the protocol, on a port where it may be spoken, the client is the peer. */
    @ParameterizedTest
    @ValueSource(strings = {"none", "native", "framework"})
    void goesByThePeerOtherwise(String strategy) {
        Running running = APPLICATIONS.get(strategy);
        Target target = () -> running;
        String client = Target.stranger();
        target.spend(client, "GET /any");
        for (String header : HEADERS) {
            target.isLimited(header, target.ask(client, "GET /any", header));
        }
    }

    private static Running start(String strategy) {
        return Running.reactive(
                Application.class,
                new RuleLines()
                        .rule("any", "/any", "limits=1/h")
                        .and(
                                "server.forward-headers-strategy=" + strategy,
                                "headgate.trusted-proxies=198.51.100.0/24",
                                Running.WITHOUT_SPRING_SECURITY));
    }

    private static int ask(Running running, String client, String header) {
        try (Wire wire = Wire.from("127.0.0.5", running.port())) {
            return wire.write("PROXY TCP4 " + client + " 10.0.0.1 1234 80\r\n"
                            + "GET /any HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
                            + (header.isEmpty() ? "" : header + "\r\n") + "\r\n")
                    .read()
                    .status();
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({SecuritySuite.Api.class, SecuritySuite.Time.class, ProxyProtocol.class})
    static class Application {}
}
