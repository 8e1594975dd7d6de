package io.headgate.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FaultProxyTest {

    private static RedisServer redis;

    private FaultProxy proxy;

    @BeforeAll
    static void start() {
        redis = RedisServer.start();
    }

    @AfterAll
    static void close() {
        redis.close();
    }

    @BeforeEach
    void open() {
        redis.command("FLUSHALL");
        proxy = FaultProxy.to(redis);
    }

    @AfterEach
    void shut() {
        proxy.close();
    }

    private Resp connect() throws IOException {
        return Resp.connect(proxy.port(), Duration.ofSeconds(5));
    }

    @Test
    void passesBothWays() throws IOException {
        String large = "x".repeat(1_000_000);
        try (Resp connection = connect()) {
            assertThat(connection.command("SET", "a", large)).isEqualTo("OK");
            assertThat(connection.command("GET", "a")).isEqualTo(large);
            assertThat(proxy.accepted()).isOne();
            assertThat(proxy.open()).isOne();
        }
        Patience.until(Duration.ofSeconds(5), "the connection is gone", () -> proxy.open() == 0);
    }

    @Test
    void cutsEveryConnectionAndTakesNewOnes() throws IOException {
        try (Resp first = connect()) {
            first.command("PING");
            proxy.cut();
            assertThatThrownBy(() -> first.command("PING")).isInstanceOf(IOException.class);
        }
        try (Resp second = connect()) {
            assertThat(second.command("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void refusesUntilItPassesAgain() throws IOException {
        proxy.refuse();
        assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
        proxy.pass();
        try (Resp connection = connect()) {
            assertThat(connection.command("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void losesTheReplyOfWhatWasCarriedOut() throws IOException {
        try (Resp connection = connect()) {
            proxy.loseReplyTo("INCR");
            assertThat(connection.command("PING")).isEqualTo("PONG");
            assertThatThrownBy(() -> connection.command("INCR", "a")).isInstanceOf(IOException.class);
        }
        assertThat(redis.command("GET", "a")).isEqualTo("1");
        assertThat(proxy.lost()).isOne();
        try (Resp again = connect()) {
            assertThat(again.command("INCR", "a")).isEqualTo(2L);
        }
    }

    @Test
    void cutsInTheMiddleOfAReply() throws IOException {
        redis.command("SET", "a", "x".repeat(100));
        try (Resp connection = connect()) {
            proxy.cutAfterReplyBytes(50);
            assertThatThrownBy(() -> connection.command("GET", "a")).hasMessage("the reply ended early");
        }
        try (Resp again = connect()) {
            assertThat(again.command("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void acceptsAndNeverAnswers() throws IOException {
        proxy.blackHole();
        try (Resp connection = Resp.connect(proxy.port(), Duration.ofMillis(100))) {
            assertThatThrownBy(() -> connection.command("INCR", "a")).isInstanceOf(SocketTimeoutException.class);
            proxy.pass();
            assertThatThrownBy(() -> connection.command("PING")).isInstanceOf(IOException.class);
        }
        assertThat(redis.command("GET", "a")).isNull();
    }

    @Test
    void holdsBackEachWay() throws IOException {
        try (Resp connection = connect()) {
            connection.command("PING");
            proxy.delay(Duration.ofMillis(20));
            long start = System.nanoTime();
            connection.command("PING");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(40));
        }
    }

    @Test
    void cutsTheShareOfConnectionsItWasAskedTo() {
        proxy.cutShare(0.5, 1);
        int cut = 0;
        for (int i = 0; i < 100; i++) {
            try (Resp connection = connect()) {
                connection.command("PING");
            } catch (IOException e) {
                cut++;
            }
        }
        assertThat(cut).isBetween(30, 70);
    }
}
