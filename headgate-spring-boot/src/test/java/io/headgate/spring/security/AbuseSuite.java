package io.headgate.spring.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Store;
import io.headgate.memory.MemoryStore;
import io.headgate.spring.RuleLines;
import io.headgate.spring.Running;
import io.headgate.spring.Wire;
import io.headgate.testkit.Seeds;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Attacks with quantity. Each time somebody who has nothing left asks again and is limited still, somebody else is served, and
 * what happened becomes a line of {@link AbuseReport}.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
abstract class AbuseSuite implements Target {

    private static final boolean PROOF = Boolean.getBoolean("headgate.proof");

    /** How many keys there is room for, where there is a bound. */
    private static final int ROOM = PROOF ? 100_000 : 1_000;

    /** How many clients ask at a time. */
    private static final int AT_ONCE = 50;

    /** What the ceiling over all keys of an address allows. */
    private static final int CEILING = 200;

    private static final int CONNECTIONS = 40;

    private final Random random = Seeds.random(getClass());
    private Running running;

    /** What it is that is attacked, for the report. */
    abstract String name();

    /** An application with {@link SecuritySuite.Api} whose time stands still. */
    abstract Running start(String... properties);

    /** How many keys the store holds. */
    long keys() {
        return ((MemoryStore) running.context().getBean(Store.class)).keys();
    }

    /** Sees that it holds no more keys than it should after the flood. */
    void keysAreBounded(long before) {
        assertThat(keys()).isLessThanOrEqualTo(ROOM);
    }

    /** How many random keys are sent. */
    int flood() {
        return PROOF ? 1_000_000 : 12_000;
    }

    @BeforeAll
    void startApplication() {
        running = start(new RuleLines()
                .rule("any", "/any", "limits=1/h")
                .rule("keyed", "/keyed", "subject=api-key", "limits=1/h")
                .rule("under-ceiling", "/keyed-too", "subject=api-key", "limits=1/h")
                .rule("ceiling", "/keyed-too", "match=all", "limits=" + CEILING + "/h")
                .and(
                        Running.WITHOUT_SPRING_SECURITY,
                        "headgate.trusted-proxies=127.1.0.0/16",
                        "headgate.max-keys=" + ROOM,
                        "server.max-http-request-header-size=256KB",
                        "server.tomcat.max-keep-alive-requests=-1"));
    }

    @AfterAll
    void stopApplication() {
        running.close();
        AbuseReport.write();
    }

    @Override
    public Running application() {
        return running;
    }

    /** Known bugs H7, K01, K02. The last one: there is no room left afterwards. */
    @Test
    @Order(Integer.MAX_VALUE)
    void randomApiKeys() {
        String limited = "X-API-Key: limited" + Target.stranger();
        spend(Target.stranger(), "GET /keyed", limited);
        long before = keys();
        long heap = heap();
        int[] statuses = send("127.4.0.1", "/keyed", flood());
        long grown = Math.max(0, heap() - heap) >> 20;
        isLimited("after the flood", ask(Target.stranger(), "GET /keyed", limited));
        keysAreBounded(before);
        assertThat(grown).as("MiB of heap").isLessThan(PROOF ? 256 : 64);
        report(
                String.format("%,d random API keys, no ceiling", flood()),
                String.format(
                        "%,d served, %,d denied; %,d keys held; heap + %d MiB",
                        statuses[0], statuses[1], keys(), grown));
    }

    /** Known bug K01: with a ceiling by address over them, random keys buy nothing, and are not even kept. */
    @Test
    void randomApiKeysUnderACeiling() {
        long before = keys();
        int[] statuses = send("127.4.0.2", "/keyed-too", 5 * CEILING);
        assertThat(statuses[0]).isEqualTo(CEILING);
        assertThat(keys() - before).isLessThanOrEqualTo(CEILING + 1);
        isLimited("after the flood", ask("127.4.0.2", "GET /keyed-too", "X-API-Key: fresh"));
        report(
                String.format("%,d random API keys under a ceiling of %d/h by address", 5 * CEILING, CEILING),
                String.format("%,d served, %,d denied; %,d keys more", statuses[0], statuses[1], keys() - before));
    }

    /** Known bug I06: 64 KiB of addresses, and all other junk of that size, in front of the one that the proxy saw. */
    @Test
    void hugeForwardedHeaders() {
        String client = Target.behindProxy();
        spend(Target.proxy(), "GET /any", "X-Forwarded-For: " + client);
        long longest = 0;
        for (String junk : List.of(
                "1.2.3.4, ".repeat(7300),
                ",".repeat(1 << 16),
                "x".repeat(1 << 16),
                "\"".repeat((1 << 16) + 1),
                "127.1.0.1, ".repeat(6000),
                "[".repeat(1 << 16),
                ":".repeat(1 << 16))) {
            long begun = System.nanoTime();
            isLimited("64 KiB", ask(Target.proxy(), "GET /any", "X-Forwarded-For: " + junk + ", " + client));
            longest = Math.max(longest, System.nanoTime() - begun);
        }
        if (PROOF) {
            assertThat(Duration.ofNanos(longest)).isLessThan(Duration.ofSeconds(5));
        }
        somebodyElseIsServed();
        report("`X-Forwarded-For` of 64 KiB, seven kinds of junk", "limited each time");
    }

    /** More header lines than anybody needs. */
    @Test
    void headerFloods() {
        String client = Target.behindProxy();
        spend(Target.proxy(), "GET /any", "X-Forwarded-For: " + client);
        List<String> told = new ArrayList<>();
        for (int lines : new int[] {90, 1_000, 10_000}) {
            String[] headers = new String[lines + 1];
            for (int i = 0; i < lines; i++) {
                headers[i] = (i % 2 == 0 ? "X-Forwarded-For: 1.2.3." : "X-API-Key: k") + i % 250;
            }
            headers[lines] = "X-Forwarded-For: " + client;
            Wire.Answer answer = ask(Target.proxy(), "GET /any", headers);
            isHeldOff(lines + " lines", answer);
            told.add(String.format("%,d: %s", lines, answer.status() == 0 ? "hung up" : answer.status()));
        }
        somebodyElseIsServed();
        report("90, 1,000 and 10,000 header lines", String.join("; ", told));
    }

    /** Clients that ask and do not read, and clients that do not even finish asking. */
    @Test
    void slowClients() {
        String client = Target.stranger();
        spend(client, "GET /any");
        List<Wire> slow = new ArrayList<>();
        try {
            for (int i = 0; i < CONNECTIONS; i++) {
                slow.add(Wire.from(client, running.port())
                        .write(request("/any", "a").repeat(200)));
                slow.add(Wire.from(client, running.port()).write("GET /any HTTP/1.1\r\nHost: tar"));
            }
            long begun = System.nanoTime();
            isLimited("among slow ones", ask(client, "GET /any"));
            somebodyElseIsServed();
            if (PROOF) {
                assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(15));
            }
        } finally {
            slow.forEach(Wire::close);
        }
        report(
                CONNECTIONS + " connections that read nothing of 200 answers, and as many that never finish a request",
                "others answered, the limited one limited");
    }

    private void somebodyElseIsServed() {
        assertThat(ask(Target.stranger(), "GET /any").body()).startsWith(SERVED);
    }

    /** Sends that many requests, each with a key nobody had before; how many were served, and how many denied. */
    private int[] send(String peer, String path, int requests) {
        int[] statuses = new int[2];
        List<Wire> wires = new ArrayList<>();
        try {
            for (int i = 0; i < AT_ONCE; i++) {
                wires.add(Wire.from(peer, running.port()));
            }
            for (int sent = 0; sent < requests; sent += AT_ONCE) {
                wires.forEach(wire -> wire.write(request(path, Long.toHexString(random.nextLong()))));
                for (Wire wire : wires) {
                    int status = wire.read().status();
                    assertThat(status).isIn(200, 429);
                    statuses[status == 200 ? 0 : 1]++;
                }
            }
        } finally {
            wires.forEach(Wire::close);
        }
        return statuses;
    }

    private static String request(String path, String key) {
        return "GET " + path + " HTTP/1.1\r\nHost: target\r\nX-API-Key: " + key + "\r\n\r\n";
    }

    private static long heap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private void report(String attack, String outcome) {
        AbuseReport.add(attack, name(), outcome);
    }
}
