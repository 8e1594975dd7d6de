package io.headgate.rig;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Files;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server can be had, broken in every way the tests need, and is gone afterwards. */
class RedisServerTest {

    private static RedisServer redis;

    @BeforeAll
    static void start() {
        redis = RedisServer.start();
    }

    @AfterAll
    static void close() {
        redis.close();
    }

    @BeforeEach
    void runsAndIsEmpty() {
        redis.restart();
        redis.command("FLUSHALL");
    }

    @Test
    void answersOnLoopbackOnly() {
        assertThat(redis.command("SET", "a", "é")).isEqualTo("OK");
        assertThat(redis.command("GET", "a")).isEqualTo("é");
        assertThat(redis.command("GET", "b")).isNull();
        assertThat(redis.command("DBSIZE")).isEqualTo(1L);
        assertThat(redis.command("CONFIG", "GET", "bind")).isEqualTo(List.of("bind", "127.0.0.1"));
        assertThatThrownBy(() -> redis.command("NONSENSE"))
                .isInstanceOf(Resp.RedisError.class)
                .hasMessageContaining("unknown command");
    }

    @Test
    void startsAgainOnItsPortWithOrWithoutItsData() {
        redis.command("SET", "a", "1");
        redis.stop();
        assertThat(redis.running()).isFalse();
        assertThatThrownBy(() -> redis.command("PING")).isInstanceOf(UncheckedIOException.class);

        redis.restart();
        assertThat(redis.command("GET", "a")).isEqualTo("1");

        redis.restartEmpty();
        assertThat(redis.command("GET", "a")).isNull();
    }

    @Test
    void forgetsWhatItHadWhenKilled() {
        redis.command("SET", "a", "1");
        redis.kill();
        assertThat(redis.running()).isFalse();
        redis.restart();
        assertThat(redis.command("GET", "a")).isNull();
    }

    @Test
    void keepsConnectionsOpenAndSilentWhileFrozen() throws IOException {
        try (Resp connection = Resp.connect(redis.port(), Duration.ofMillis(200))) {
            assertThat(connection.command("PING")).isEqualTo("PONG");
            redis.freeze();
            assertThatThrownBy(() -> connection.command("INCR", "a")).isInstanceOf(IOException.class);
            redis.thaw();
        }
        Patience.until(
                Duration.ofSeconds(5), "what was asked meanwhile is done", () -> "1".equals(redis.command("GET", "a")));
    }

    @Test
    void endsThoughFrozen() {
        RedisServer frozen = RedisServer.start();
        frozen.freeze();
        frozen.close();
        assertThat(Ports.isFree(frozen.port())).isTrue();
        assertThat(frozen.running()).isFalse();
    }

    @Test
    void asksForThePasswordAndKnowsUsers() throws IOException {
        RedisSettings settings = RedisServer.with()
                .password("secret")
                .user("reader", "pass", "~rl:* +get")
                .database(3);
        try (RedisServer guarded = settings.start();
                Resp connection = Resp.connect(guarded.port(), Duration.ofSeconds(5))) {
            assertThat(guarded.uri()).isEqualTo("redis://:secret@127.0.0.1:" + guarded.port() + "/3");
            assertThatThrownBy(() -> connection.command("GET", "a")).hasMessageStartingWith("NOAUTH");
            connection.command("AUTH", "reader", "pass");
            assertThat(connection.command("GET", "rl:a")).isNull();
            assertThatThrownBy(() -> connection.command("GET", "a")).hasMessageStartingWith("NOPERM");
            guarded.command("SET", "a", "1");
            assertThat(guarded.info("keyspace", "db3")).startsWith("keys=1");
        }
    }

    @Test
    void speaksTlsWithItsCertificate() throws Exception {
        try (RedisServer secure = RedisServer.with().tls().start();
                InputStream pem = Files.newInputStream(secure.certificate())) {
            assertThat(secure.tlsUri()).isEqualTo("rediss://localhost:" + (secure.port() + 1));
            Certificate trusted = CertificateFactory.getInstance("X.509").generateCertificate(pem);
            KeyStore trust = KeyStore.getInstance(KeyStore.getDefaultType());
            trust.load(null);
            trust.setCertificateEntry("redis", trusted);
            TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(trust);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            try (Socket socket = context.getSocketFactory().createSocket("localhost", secure.port() + 1)) {
                socket.getOutputStream().write("PING\r\n".getBytes(UTF_8));
                assertThat(new String(socket.getInputStream().readNBytes(5), UTF_8))
                        .isEqualTo("+PONG");
            }
        }
    }

    @Test
    void rejectsWritesBeyondItsMemory() {
        try (RedisServer small = RedisServer.with().maxMemory("1").start()) {
            assertThatThrownBy(() -> small.command("SET", "a", "1")).hasMessageStartingWith("OOM");
        }
    }

    @Test
    void followsAMasterAndIsReadOnly() {
        try (RedisServer replica = RedisServer.with().replicaOf(redis).start()) {
            redis.command("SET", "a", "1");
            Patience.until(Duration.ofSeconds(10), "replicated", () -> "1".equals(replica.command("GET", "a")));
            assertThatThrownBy(() -> replica.command("SET", "a", "2")).hasMessageStartingWith("READONLY");
        }
    }

    @Test
    void countsCallsAndProcessorTime() {
        redis.command("CONFIG", "RESETSTAT");
        redis.command("EVAL", "return redis.call('incr', KEYS[1])", "1", "a");
        assertThat(redis.calls("eval")).isOne();
        assertThat(redis.calls("incr")).isOne();
        assertThat(redis.calls("get")).isZero();
        assertThat(redis.cpuTime()).isPositive();
    }

    @Test
    void saysWhyItDoesNotStart() {
        assertThatThrownBy(() -> RedisServer.with().set("maxmemory", "plenty").start())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("maxmemory plenty");
    }
}
