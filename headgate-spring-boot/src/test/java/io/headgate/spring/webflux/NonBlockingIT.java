package io.headgate.spring.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.rig.Processes;
import io.headgate.rig.RedisServer;
import io.headgate.spring.RateLimit;
import io.headgate.spring.RuleLines;
import io.headgate.spring.Running;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.blockhound.BlockHound;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Known bug A8: nobody sleeps on an event loop, neither that of the server nor that of the connection to Redis, whether a request
 * is let pass or denied, and also when Redis is gone. In a JVM of its own, since BlockHound changes the classes of Java.
 */
class NonBlockingIT {

    /** BlockHound knows no JDK beyond it. */
    @Test
    @EnabledForJreRange(max = JRE.JAVA_21)
    void blocksNoEventLoop() {
        try (RedisServer redis = RedisServer.start();
                Processes server = Processes.fork(
                        1,
                        NonBlockingIT.class,
                        List.of("-XX:+AllowRedefinitionToAddDeleteMethods"),
                        redis.host(),
                        Integer.toString(redis.port()))) {
            server.awaitLine("served", Duration.ofSeconds(90));
            redis.kill();
            server.tell("gone");
            List<String> printed = server.finish(Duration.ofSeconds(60)).get(0);
            assertThat(printed)
                    .contains(
                            "finds blocking calls: true",
                            "served by a rule: [200, 200, 429]",
                            "served by a method: [200, 200, 429]",
                            "without Redis: [200, 200, 429]")
                    .noneMatch(line -> line.startsWith("blocked"));
        }
    }

    /** What runs beside it: tells what was answered, and who has blocked. */
    public static void main(String[] arguments) throws InterruptedException {
        Queue<String> blocked = new ConcurrentLinkedQueue<>();
        BlockHound.builder()
                .loadIntegrations()
                .blockingMethodCallback(method -> blocked.add(method + " on " + Thread.currentThread() + where()))
                .install();
        Mono.fromRunnable(NonBlockingIT::pause)
                .subscribeOn(Schedulers.parallel())
                .block();
        System.out.println("finds blocking calls: " + !blocked.isEmpty());
        blocked.clear();
        try (Running application = Running.reactive(
                Application.class,
                new RuleLines()
                        .rule("api", "/api", "subject=header:X-Who", "limits=2/h")
                        .and(
                                "headgate.store=redis",
                                "headgate.instances=1",
                                "spring.data.redis.host=" + arguments[1],
                                "spring.data.redis.port=" + arguments[2]))) {
            System.out.println("served by a rule: " + application.statuses(3, "/api", "X-Who", "ann"));
            System.out.println("served by a method: " + application.statuses(3, "/own?who=ann"));
            System.out.println("served");
            Processes.awaitWord();
            System.out.println("without Redis: " + application.statuses(3, "/api", "X-Who", "bob"));
        }
        blocked.forEach(each -> System.out.println("blocked: " + each));
    }

    private static void pause() {
        try {
            Thread.sleep(1);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String where() {
        List<String> frames = new ArrayList<>();
        for (StackTraceElement frame : new Throwable().getStackTrace()) {
            frames.add("\n    " + frame);
        }
        return String.join("", frames);
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Api.class)
    static class Application {

        @Bean
        SecurityWebFilterChain security(ServerHttpSecurity http) {
            return http.authorizeExchange(exchanges -> exchanges.anyExchange().permitAll())
                    .build();
        }
    }

    @RestController
    static class Api {

        @GetMapping("/api")
        public Mono<String> byRule() {
            return Mono.just("served");
        }

        @RateLimit(value = "2/h", key = "#who")
        @GetMapping("/own")
        public Mono<String> byMethod(@RequestParam("who") String who) {
            return Mono.just("served " + who);
        }
    }
}
