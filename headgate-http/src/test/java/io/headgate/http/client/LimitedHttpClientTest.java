package io.headgate.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.headgate.Headgate;
import io.headgate.http.LedgerFactory;
import io.headgate.testkit.ManualTime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class LimitedHttpClientTest {

    private static final OutgoingClient CLIENT = OutgoingClient.named("local").hosts("localhost");

    private final HttpClient plain = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(30))
            .build();

    private static OutgoingLimits limits(OutgoingClient client) {
        return OutgoingLimits.of(Headgate.builder().build(), client);
    }

    private static OutgoingLimits limits(OutgoingClient client, ManualTime time) {
        Headgate headgate = Headgate.builder().timeSource(time).build();
        return OutgoingLimits.of(LedgerFactory.of(headgate), time, "token-bucket", List.of(client));
    }

    private static HttpRequest request(LimitedServer server) {
        return HttpRequest.newBuilder(server.uri()).build();
    }

    private static CompletableFuture<Integer> send(HttpClient client, LimitedServer server) {
        return client.sendAsync(request(server), BodyHandlers.discarding()).thenApply(HttpResponse::statusCode);
    }

    /** Three windows' worth of requests at once. Everything is sent in the end, and the server denies nothing. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NOTHING")
    void aServerThatTellsWhatRemainsDeniesNothing(LimitedServer.Style style) throws Exception {
        try (LimitedServer server = new LimitedServer(50, 1_000, style)) {
            HttpClient client = new LimitedHttpClient(plain, limits(CLIENT.maxWait(Duration.ofMinutes(2))));
            assertThat(send(client, server).get()).isEqualTo(200);

            List<CompletableFuture<Integer>> sent = new ArrayList<>();
            for (int i = 0; i < 149; i++) {
                sent.add(send(client, server));
            }

            for (CompletableFuture<Integer> each : sent) {
                assertThat(each.get()).isEqualTo(200);
            }
            assertThat(server.denied()).isZero();
            assertThat(server.allowed()).isEqualTo(150);
        }
    }

    /** The same on threads that wait, against a server that says nothing but 429: each window costs one denial at most. */
    @Test
    void aServerThatTellsOnlyWhenItDeniesDeniesRarely() throws Exception {
        try (LimitedServer server = new LimitedServer(1, 1_000, LimitedServer.Style.NOTHING)) {
            HttpClient client = new LimitedHttpClient(plain, limits(CLIENT.maxWait(Duration.ofMinutes(2))));
            List<Integer> statuses = new ArrayList<>();
            while (server.allowed() < 3) {
                statuses.add(
                        client.send(request(server), BodyHandlers.discarding()).statusCode());
            }
            assertThat(statuses).containsExactly(200, 429, 200, 429, 200);
        }
    }

    @Test
    void sendsExactlyWhatTheLimitAllowsFromManyThreads() throws Exception {
        try (LimitedServer server = new LimitedServer(1_000, 60_000, LimitedServer.Style.DRAFT_8)) {
            HttpClient client = new LimitedHttpClient(plain, limits(CLIENT.limits("60/day sliding-window")));
            AtomicInteger unsent = new AtomicInteger();
            ExecutorService threads = Executors.newFixedThreadPool(8);
            List<Future<?>> done = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                done.add(threads.submit(() -> {
                    try {
                        return client.send(request(server), BodyHandlers.discarding());
                    } catch (OutgoingLimitException e) {
                        return unsent.incrementAndGet();
                    }
                }));
            }
            for (Future<?> each : done) {
                each.get();
            }
            threads.shutdownNow();

            assertThat(server.allowed()).isEqualTo(60);
            assertThat(unsent).hasValue(140);
        }
    }

    @Test
    void aCancelledRequestIsNotSentAndLeavesItsPlaceToTheNext() {
        try (LimitedServer server = new LimitedServer(1_000, 60_000, LimitedServer.Style.NOTHING)) {
            ManualTime time = new ManualTime();
            HttpClient client =
                    new LimitedHttpClient(plain, limits(CLIENT.limits("1/s").maxWait(Duration.ofSeconds(2)), time));
            assertThat(send(client, server).join()).isEqualTo(200);
            CompletableFuture<HttpResponse<Void>> first = client.sendAsync(request(server), BodyHandlers.discarding());
            CompletableFuture<Integer> second = send(client, server);

            first.cancel(true);
            time.advance(Duration.ofSeconds(1));
            assertThat(second.join()).isEqualTo(200);
            assertThat(server.allowed()).isEqualTo(2);
        }
    }

    @Test
    void anInterruptedThreadLeavesItsPlaceToTheNext() throws Exception {
        try (LimitedServer server = new LimitedServer(1_000, 60_000, LimitedServer.Style.NOTHING)) {
            ManualTime time = new ManualTime();
            HttpClient client =
                    new LimitedHttpClient(plain, limits(CLIENT.limits("1/s").maxWait(Duration.ofSeconds(2)), time));
            assertThat(send(client, server).join()).isEqualTo(200);

            Thread.currentThread().interrupt();
            assertThatExceptionOfType(InterruptedException.class)
                    .isThrownBy(() -> client.send(request(server), BodyHandlers.discarding()));
            CompletableFuture<Integer> next = send(client, server);
            time.advance(Duration.ofSeconds(1));
            assertThat(next.join()).isEqualTo(200);
        }
    }

    @Test
    void theExceptionIsThatOfTheCaller() {
        try (LimitedServer server = new LimitedServer(1_000, 60_000, LimitedServer.Style.NOTHING)) {
            HttpClient client = new LimitedHttpClient(plain, limits(CLIENT.limits("1/h")));
            send(client, server).join();

            assertThatExceptionOfType(OutgoingLimitException.class)
                    .isThrownBy(() -> client.send(request(server), BodyHandlers.discarding()))
                    .satisfies(e -> assertThat(e.getStackTrace())
                            .anyMatch(frame -> frame.getClassName().equals(LimitedHttpClientTest.class.getName())));
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> client.sendAsync(request(server), BodyHandlers.discarding())
                            .get())
                    .withCauseInstanceOf(OutgoingLimitException.class);
        }
    }

    /** The headers count as soon as they are there: the body may be long in coming, or break off. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void learnsFromAnAnswerWhoseBodyBreaksOff(boolean async) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.getResponseHeaders().set("Retry-After", "60");
            exchange.sendResponseHeaders(429, 100);
            exchange.getResponseBody().write(1);
            exchange.close();
        });
        server.start();
        try {
            HttpClient client = new LimitedHttpClient(plain, limits(CLIENT));
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create("http://localhost:" + server.getAddress().getPort()))
                    .build();
            Callable<HttpResponse<String>> attempt = () -> async
                    ? client.sendAsync(request, BodyHandlers.ofString()).get()
                    : client.send(request, BodyHandlers.ofString());

            assertThatThrownBy(attempt::call).hasRootCauseInstanceOf(IOException.class);
            assertThatThrownBy(attempt::call).hasStackTraceContaining("OutgoingLimitException");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void otherHostsAreNotLimited() throws Exception {
        try (LimitedServer server = new LimitedServer(1_000, 60_000, LimitedServer.Style.NOTHING)) {
            HttpClient client = new LimitedHttpClient(
                    plain, limits(CLIENT.hosts("api.example.com").limits("1/h")));
            for (int i = 0; i < 5; i++) {
                assertThat(client.send(request(server), BodyHandlers.discarding())
                                .statusCode())
                        .isEqualTo(200);
            }
        }
    }

    @Test
    void aServerThatIsNotThereCostsWhatARequestCosts() {
        LimitedServer gone = new LimitedServer(1, 1_000, LimitedServer.Style.NOTHING);
        URI nobody = gone.uri();
        gone.close();
        HttpClient client = new LimitedHttpClient(plain, limits(CLIENT.limits("1/h")));
        HttpRequest request = HttpRequest.newBuilder(nobody).build();

        assertThatExceptionOfType(IOException.class).isThrownBy(() -> client.send(request, BodyHandlers.discarding()));
        assertThatExceptionOfType(OutgoingLimitException.class)
                .isThrownBy(() -> client.send(request, BodyHandlers.discarding()));
    }
}
