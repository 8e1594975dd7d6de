package io.headgate.spring.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.http.BoundRule;
import io.headgate.spring.RuleStore;
import io.headgate.spring.Running;
import io.headgate.spring.Wire;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An application under attack, and clients of it.
 *
 * <p>Peers are addresses of the loopback network, all of which a Linux machine has: those in 127.1.0.0/16 are trusted proxies,
 * all others are strangers. Time stands still, so nothing is given back unless a test says so.
 */
@FunctionalInterface
interface Target {

    /** The answer of a handler that was reached starts with this. */
    String SERVED = "served";

    AtomicInteger CLIENTS = new AtomicInteger();

    Running application();

    /** A peer that nobody trusts and that has not been here before. */
    static String stranger() {
        int number = CLIENTS.incrementAndGet();
        return "127.3." + number / 250 + "." + (number % 250 + 1);
    }

    /** An address that a proxy may report, and that has not been here before. */
    static String behindProxy() {
        int number = CLIENTS.incrementAndGet();
        return "198.51." + number / 250 + "." + (number % 250 + 1);
    }

    /** A trusted proxy. */
    static String proxy() {
        return "127.1.0.1";
    }

    /** Sends the request as it is written here, and a {@code Host} if it has none. */
    default Wire.Answer ask(String peer, String requestLine, String... headers) {
        StringBuilder request = new StringBuilder(requestLine).append(" HTTP/1.1\r\nConnection: close\r\n");
        boolean host = false;
        for (String header : headers) {
            request.append(header).append("\r\n");
            host |= header.startsWith("Host");
        }
        request.append(host ? "\r\n" : "Host: target\r\n\r\n");
        try (Wire wire = Wire.from(peer, application().port())) {
            return wire.write(request.toString()).read(!requestLine.startsWith("HEAD"));
        }
    }

    /** Sends what is allowed once, and sees that it was the last. */
    default void spend(String peer, String requestLine, String... headers) {
        assertThat(ask(peer, requestLine, headers).body()).startsWith(SERVED);
        assertThat(ask(peer, requestLine, headers).status()).isEqualTo(429);
    }

    /** Sees that a client that has nothing left is limited, or understood by nobody. */
    default void isHeldOff(String trick, Wire.Answer answer) {
        assertThat(answer.body()).as(trick).doesNotContain(SERVED);
        assertThat(answer.status())
                .as(trick)
                .matches(status -> status == 0 || (status >= 400 && status < 500), "is not served");
    }

    /** Sees that a client is limited, and not only not understood. */
    default void isLimited(String trick, Wire.Answer answer) {
        assertThat(answer.status()).as(trick).isEqualTo(429);
    }

    /** What the rule leaves to the subject. */
    default long remaining(String rule, String subject) {
        return application().context().getBean(RuleStore.class).get().boundRules().stream()
                .filter(each -> each.name().equals(rule))
                .map(BoundRule::limiter)
                .findFirst()
                .orElseThrow()
                .peek(subject)
                .remaining();
    }
}
