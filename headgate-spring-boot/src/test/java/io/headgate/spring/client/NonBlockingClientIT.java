package io.headgate.spring.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Headgate;
import io.headgate.http.client.OutgoingClient;
import io.headgate.http.client.OutgoingLimits;
import io.headgate.rig.Processes;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.blockhound.BlockHound;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Nobody who waits for a permit holds a thread that must not block. In a JVM of its own, since BlockHound changes the classes of Java. */
class NonBlockingClientIT {

    /** BlockHound knows no JDK beyond it. */
    @Test
    @EnabledForJreRange(max = JRE.JAVA_21)
    void blocksNoThreadWhileItWaits() {
        try (Processes client =
                Processes.fork(1, NonBlockingClientIT.class, List.of("-XX:+AllowRedefinitionToAddDeleteMethods"))) {
            List<String> printed = client.finish(Duration.ofMinutes(2)).get(0);
            assertThat(printed)
                    .contains("finds blocking calls: true", "sent after a wait: 30", "threads of its own: true")
                    .noneMatch(line -> line.startsWith("blocked"));
        }
    }

    /** What runs beside it: tells what was sent, and who has blocked. */
    public static void main(String[] arguments) {
        Queue<String> blocked = new ConcurrentLinkedQueue<>();
        BlockHound.builder()
                .loadIntegrations()
                .blockingMethodCallback(method -> blocked.add(method + " on " + Thread.currentThread()))
                .install();
        Mono.fromRunnable(NonBlockingClientIT::pause)
                .subscribeOn(Schedulers.parallel())
                .block();
        System.out.println("finds blocking calls: " + !blocked.isEmpty());
        try (Served server = new Served()) {
            WebClient client = WebClient.builder()
                    .filter(new OutgoingExchangeFilter(OutgoingLimits.of(
                            Headgate.builder().build(),
                            OutgoingClient.named("local")
                                    .hosts("localhost")
                                    .limits("20/s leaky-bucket")
                                    .maxWait(Duration.ofMinutes(1)))))
                    .build();
            send(client, server, 3); // loads classes and the native library of Netty from files
            blocked.clear();
            System.out.println("sent after a wait: " + send(client, server, 30));
            System.out.println("threads of its own: " + (Thread.activeCount() < 60));
        }
        blocked.forEach(each -> System.out.println("blocked: " + each));
        System.exit(0);
    }

    private static @Nullable Long send(WebClient client, Served server, int requests) {
        return Flux.range(0, requests)
                .flatMap(
                        each -> client.get()
                                .uri(server.url())
                                .retrieve()
                                .toBodilessEntity()
                                .subscribeOn(Schedulers.parallel()),
                        requests)
                .count()
                .block();
    }

    private static void pause() {
        try {
            Thread.sleep(10);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
