package io.headgate.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headgate.Headgate;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A client that knows nothing but what the server says, against a server of others: express-rate-limit. Sends three times what the
 * server allows, for six windows. Needs npm, and fetches the server from its registry; runs only with {@code -Dheadgate.oracle=true}.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Execution(ExecutionMode.SAME_THREAD)
class ExpressRateLimitIT {

    private static final int LIMIT = 100;
    private static final int WINDOW_SECONDS = 10;
    private static final int WINDOWS = 6;
    private static final int TOO_MANY = 429;

    private final HttpClient plain =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private Process server;
    private String address;

    @BeforeAll
    void start() throws IOException, InterruptedException {
        assumeTrue(Boolean.getBoolean("headgate.oracle"), "not asked for: -Dheadgate.oracle=true");
        assumeTrue(isThere("npm") && isThere("node"), "there is no npm");
        Path folder = Files.createDirectories(Path.of("target/express-rate-limit"));
        for (String file : new String[] {"package.json", "server.js"}) {
            Files.write(folder.resolve(file), Files.readAllBytes(Path.of("src/test/node", file)));
        }
        File log = folder.resolve("npm.log").toFile();
        int installed = new ProcessBuilder("npm", "install", "--no-audit", "--no-fund", "--no-package-lock")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log)
                .start()
                .waitFor();
        assumeTrue(installed == 0, () -> "npm cannot install express-rate-limit, see " + log);
        server = new ProcessBuilder("node", "server.js", String.valueOf(LIMIT), String.valueOf(WINDOW_SECONDS * 1_000))
                .directory(folder.toFile())
                .redirectError(log)
                .start();
        String line =
                new BufferedReader(new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8)).readLine();
        address = "http://127.0.0.1:" + line.substring("port ".length()) + "/";
    }

    private static boolean isThere(String program) throws InterruptedException {
        try {
            return new ProcessBuilder(program, "--version")
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    @AfterAll
    void stop() {
        if (server != null) {
            server.destroy();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"draft-8", "draft-7", "draft-6", "legacy"})
    void isUsedUpAndDeniesNothingAfterItsFirst429(String form) throws Exception {
        URI uri = URI.create(address + form);
        HttpRequest request = HttpRequest.newBuilder(uri).build();
        for (int i = 0; i < LIMIT; i++) { // somebody else has used it up
            assertThat(plain.send(request, BodyHandlers.discarding()).statusCode())
                    .isEqualTo(200);
        }
        HttpClient client = new LimitedHttpClient(
                plain,
                OutgoingLimits.of(
                        Headgate.builder().build(),
                        OutgoingClient.named(form).hosts("127.0.0.1").maxWait(Duration.ofSeconds(2))));
        assertThat(client.send(request, BodyHandlers.discarding()).statusCode()).isEqualTo(TOO_MANY);

        AtomicInteger allowed = new AtomicInteger();
        AtomicInteger denied = new AtomicInteger();
        AtomicInteger unsent = new AtomicInteger();
        AtomicInteger failed = new AtomicInteger();
        long[] end = {Long.MAX_VALUE};
        ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
        clock.scheduleAtFixedRate(
                () -> client.sendAsync(request, BodyHandlers.discarding()).whenComplete((response, failure) -> {
                    if (failure != null) {
                        boolean ours = failure instanceof OutgoingLimitException
                                || failure.getCause() instanceof OutgoingLimitException;
                        (ours ? unsent : failed).incrementAndGet();
                    } else if (response.statusCode() == TOO_MANY) {
                        denied.incrementAndGet();
                    } else {
                        synchronized (end) {
                            long now = System.nanoTime();
                            if (end[0] == Long.MAX_VALUE) {
                                end[0] = now + TimeUnit.SECONDS.toNanos((long) WINDOWS * WINDOW_SECONDS);
                            }
                            if (now < end[0]) {
                                allowed.incrementAndGet();
                            }
                        }
                    }
                }),
                0,
                TimeUnit.SECONDS.toMicros(WINDOW_SECONDS) / (3 * LIMIT),
                TimeUnit.MICROSECONDS);
        clock.awaitTermination((WINDOWS + 1L) * WINDOW_SECONDS + 3, TimeUnit.SECONDS);
        clock.shutdownNow();

        double used = 100.0 * allowed.get() / (LIMIT * WINDOWS);
        System.out.printf(
                Locale.ROOT,
                "express-rate-limit, %s: %d allowed (%.1f %% of its budget), %d denied after the first 429, %d not sent%n",
                form,
                allowed.get(),
                used,
                denied.get(),
                unsent.get());
        assertThat(failed).hasValue(0);
        assertThat(denied).hasValue(0);
        assertThat(used).isGreaterThanOrEqualTo(95);
        assertThat(unsent).hasPositiveValue();
    }
}
