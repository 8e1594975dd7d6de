package io.headgate.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.rig.RedisServer;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/**
 * Two instances in processes of their own share a real Redis: through load, through a restart of both, and through the death and
 * the return of Redis. One story in four chapters; each goes on where the one before ended.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(120)
class TwoInstancesIT {

    private static final int CLIENTS = 10;
    private static final int THREADS = 8;

    /** How long limits may take to hold again once Redis answers. */
    private static final Duration BACK = Duration.ofSeconds(2);

    private static RedisServer redis;
    private static DemoProcess demo;

    /** A request of a client. */
    private record Call(int client, String path) {

        String method() {
            return path.equals("/api/login") ? "POST" : "GET";
        }

        /** Limited by an annotation with a key, which is known after the ceiling was charged for good. */
        boolean isOfUser() {
            return path.startsWith("/api/user/");
        }

        /** Who is limited on that path. */
        String subject() {
            return isOfUser() ? path : path + " of " + client;
        }
    }

    /** What every client asks for, how often, and how much of it is granted; the user is shared by two. */
    private enum Mix {
        PUBLIC("/api/public", 20, 10),
        PROTECTED("/api/protected", 20, 5),
        DATA("/api/data", 20, 15),
        STATUS("/api/status", 10, 10),
        EXPENSIVE("/api/expensive-operation", 10, 1),
        LOGIN("/api/login", 10, 5),
        USER("/api/user/", 10, 5);

        final String path;
        final int asked;
        final int granted;

        Mix(String path, int asked, int granted) {
            this.path = path;
            this.asked = asked;
            this.granted = granted;
        }

        Call call(int client) {
            return new Call(client, this == USER ? path + client / 2 : path);
        }
    }

    @BeforeAll
    static void start() {
        redis = RedisServer.with().set("appendonly", "yes").start();
        demo = DemoProcess.start(redis);
    }

    @AfterAll
    static void stop() {
        if (demo != null) {
            demo.close();
        }
        redis.close();
    }

    @Test
    @Order(1)
    void grantsExactlyWhatTheLimitsSayToAThousandMixedRequests() throws Exception {
        List<Call> calls = new ArrayList<>();
        for (int client = 0; client < CLIENTS; client++) {
            for (Mix mix : Mix.values()) {
                calls.addAll(Collections.nCopies(mix.asked, mix.call(client)));
            }
        }
        assertThat(calls).hasSize(1_000);
        long seed = Long.getLong("headgate.seed", System.nanoTime());
        System.out.println("TwoInstancesIT: -Dheadgate.seed=" + seed);
        Collections.shuffle(calls, new Random(seed));

        List<Integer> statuses = answers(calls);

        assertThat(statuses).containsOnly(200, 429);
        Map<String, Integer> granted = new HashMap<>();
        int[] charged = new int[CLIENTS];
        for (int i = 0; i < calls.size(); i++) {
            Call call = calls.get(i);
            int one = statuses.get(i) == 200 ? 1 : 0;
            granted.merge(call.subject(), one, Integer::sum);
            charged[call.client] += call.isOfUser() ? 1 : one;
        }
        assertThat(granted).isEqualTo(expected());
        for (int client = 0; client < CLIENTS; client++) {
            awaitCeiling(client, 1_000 - charged[client]);
        }
    }

    private static Map<String, Integer> expected() {
        Map<String, Integer> expected = new HashMap<>();
        for (int client = 0; client < CLIENTS; client++) {
            for (Mix mix : Mix.values()) {
                expected.put(mix.call(client).subject(), mix.granted);
            }
        }
        return expected;
    }

    /** Denials cost nothing: what they took from the ceiling is given back, at the latest soon after the answer. */
    private static void awaitCeiling(int client, int remaining) throws Exception {
        long begin = System.nanoTime();
        String path = "/actuator/ratelimits/ceiling?kind=ip&subject=" + address(client);
        String standing = demo.send(client % 2, "GET", path).body();
        while (!standing.contains("\"remaining\":" + remaining + ",")) {
            assertThat(System.nanoTime() - begin)
                    .as("client %d has %d of the ceiling left: %s", client, remaining, standing)
                    .isLessThan(Duration.ofSeconds(5).toNanos());
            standing = demo.send(client % 2, "GET", path).body();
        }
    }

    @Test
    @Order(2)
    void remembersWhatWasSpentWhenBothInstancesRestart() throws Exception {
        demo.close();
        demo = DemoProcess.start(redis);

        for (int client = 0; client < CLIENTS; client++) {
            for (int instance = 0; instance < DemoProcess.INSTANCES; instance++) {
                assertThat(answer(instance, Mix.PUBLIC, client).statusCode()).isEqualTo(429);
                assertThat(answer(instance, Mix.PROTECTED, client).statusCode()).isEqualTo(429);
                assertThat(answer(instance, Mix.DATA, client).statusCode()).isEqualTo(429);
                assertThat(answer(instance, Mix.EXPENSIVE, client).statusCode()).isEqualTo(429);
                assertThat(answer(instance, Mix.LOGIN, client).statusCode()).isEqualTo(429);
                assertThat(answer(instance, Mix.STATUS, client).statusCode()).isEqualTo(200);
            }
        }
    }

    @Test
    @Order(3)
    void doesAsEachRuleSaysWhileRedisIsAway() throws Exception {
        redis.kill();

        int stranger = CLIENTS;
        for (int instance = 0; instance < DemoProcess.INSTANCES; instance++) {
            HttpResponse<String> closed = answer(instance, Mix.LOGIN, stranger);
            assertThat(closed.statusCode()).as("closed").isEqualTo(503);
            assertThat(closed.headers().firstValue("Retry-After")).isPresent();

            assertThat(statuses(instance, Mix.PUBLIC, stranger, 8))
                    .as("local: the half of 10 that is this instance's")
                    .containsExactly(200, 200, 200, 200, 200, 429, 429, 429);
            assertThat(answer(instance, Mix.PUBLIC, 0).statusCode())
                    .as("local: who had spent all of it, as this instance knew")
                    .isEqualTo(429);

            assertThat(statuses(instance, Mix.STATUS, stranger, 70))
                    .as("open: beyond the 60 that the limit has")
                    .containsOnly(200);
            assertThat(quota(answer(instance, Mix.STATUS, stranger)))
                    .as("nobody knows the quota")
                    .isFalse();
        }
    }

    @Test
    @Order(4)
    void holdsTheLimitsAgainOnceRedisIsBack() throws Exception {
        redis.restart();
        long back = System.nanoTime();
        int stranger = CLIENTS + 1;
        for (int instance = 0; instance < DemoProcess.INSTANCES; instance++) {
            while (!quota(answer(instance, Mix.STATUS, stranger))) {
                assertThat(Duration.ofNanos(System.nanoTime() - back))
                        .as("without the store since it answers")
                        .isLessThan(BACK);
                TimeUnit.MILLISECONDS.sleep(10);
            }
        }
        System.out.println("Limits hold again " + (System.nanoTime() - back) / 1_000_000 + " ms after Redis answers");

        assertThat(answers(Collections.nCopies(100, Mix.PUBLIC.call(stranger))).stream()
                        .filter(status -> status == 200))
                .as("both together")
                .hasSize(10);
        for (int client = 0; client < CLIENTS; client++) {
            HttpResponse<String> spent = answer(client % 2, Mix.PUBLIC, client);
            assertThat(spent.statusCode()).isEqualTo(429);
            assertThat(quota(spent)).isTrue();
        }
        assertThat(answer(0, Mix.LOGIN, stranger).statusCode()).isEqualTo(200);
    }

    /** What many threads are answered, by both instances in turn. */
    private static List<Integer> answers(List<Call> calls) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Callable<Integer>> tasks = new ArrayList<>();
            for (int i = 0; i < calls.size(); i++) {
                int instance = i % DemoProcess.INSTANCES;
                Call call = calls.get(i);
                tasks.add(() -> answer(instance, call).statusCode());
            }
            List<Integer> statuses = new ArrayList<>();
            for (Future<Integer> task : threads.invokeAll(tasks)) {
                statuses.add(task.get());
            }
            return statuses;
        } finally {
            threads.shutdownNow();
        }
    }

    private static List<Integer> statuses(int instance, Mix mix, int client, int times) throws Exception {
        List<Integer> statuses = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            statuses.add(answer(instance, mix, client).statusCode());
        }
        return statuses;
    }

    private static HttpResponse<String> answer(int instance, Mix mix, int client) throws Exception {
        return answer(instance, mix.call(client));
    }

    private static HttpResponse<String> answer(int instance, Call call) throws Exception {
        return demo.send(
                instance,
                call.method(),
                call.path,
                "X-Forwarded-For",
                address(call.client),
                "X-API-Key",
                "key-" + call.client);
    }

    private static String address(int client) {
        return "203.0.113." + (client + 1);
    }

    private static boolean quota(HttpResponse<String> answer) {
        return answer.headers().firstValue("RateLimit").isPresent();
    }
}
