package io.headgate.spring.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.spring.Api;
import io.headgate.spring.RateLimitExceededException;
import io.headgate.spring.Running;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Denials of calls are answered by the handler that the application has for them where Spring would ask it, and else by us. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DenialHandlerDetectorTest {

    private Running running;

    @BeforeAll
    void startApplication() {
        running = Running.servlet(Application.class, Running.WITHOUT_SPRING_SECURITY);
    }

    @AfterAll
    void stopApplication() {
        running.close();
    }

    /** Spring finds a handler by the cause, too. */
    @ParameterizedTest
    @ValueSource(strings = {"/own/call", "/own/wrapped"})
    void leavesDenialsToTheirHandler(String path) {
        HttpResponse<String> answer = running.get(path);
        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(answer.body()).isEqualTo("own");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/pages/call", "/pages/wrapped"})
    void answersInTheMediaTypesThatTheirHandlerDoesNot(String path) {
        HttpResponse<String> page = running.get(path, "Accept", "text/html");
        assertThat(page.statusCode()).isEqualTo(403);
        assertThat(page.body()).isEqualTo("<b>own</b>");
        isOurs(running.get(path, "Accept", "application/json"));
    }

    /** It would have got the denial itself, but in other words. */
    @Test
    void leavesNoDenialToWhoTakesEverything() {
        isOurs(running.get("/greedy/call"));
        isOurs(running.get("/greedy/wrapped"));
        isOurs(running.get("/pages-or-all/call", "Accept", "application/json"));
        assertThat(running.get("/pages-or-all/call", "Accept", "text/html").body())
                .isEqualTo("<b>own</b>");
    }

    @Test
    void answersWhenTheirHandlerFails() {
        isOurs(running.get("/failing/call"));
        isOurs(running.get("/failing/wrapped"));
    }

    private static void isOurs(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).isEqualTo(429);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(answer.body()).contains("quota-exceeded");
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Api.Never.class, Own.class, Pages.class, Greedy.class, PagesOrAll.class, Failing.class})
    static class Application {}

    abstract static class Calls {

        private final Api.Never never;

        Calls(Api.Never never) {
            this.never = never;
        }

        @GetMapping("call")
        void call() {
            never.now();
        }

        @GetMapping("wrapped")
        void wrapped() throws ExecutionException, InterruptedException {
            CompletableFuture.runAsync(never::now).get();
        }
    }

    @RestController
    @RequestMapping("/own/")
    static class Own extends Calls {

        Own(Api.Never never) {
            super(never);
        }

        @ExceptionHandler(RateLimitExceededException.class)
        @ResponseStatus(HttpStatus.FORBIDDEN)
        String denied() {
            return "own";
        }
    }

    @RestController
    @RequestMapping("/pages/")
    static class Pages extends Calls {

        Pages(Api.Never never) {
            super(never);
        }

        @ExceptionHandler(exception = RateLimitExceededException.class, produces = "text/html")
        ResponseEntity<String> denied() {
            return ResponseEntity.status(HttpStatus.FORBIDDEN).body("<b>own</b>");
        }
    }

    @RestController
    @RequestMapping("/greedy/")
    static class Greedy extends Calls {

        Greedy(Api.Never never) {
            super(never);
        }

        @ExceptionHandler(Exception.class)
        String other() {
            return "handled";
        }
    }

    @RestController
    @RequestMapping("/pages-or-all/")
    static class PagesOrAll extends Pages {

        PagesOrAll(Api.Never never) {
            super(never);
        }

        @ExceptionHandler(Exception.class)
        String other() {
            return "handled";
        }
    }

    @RestController
    @RequestMapping("/failing/")
    static class Failing extends Calls {

        Failing(Api.Never never) {
            super(never);
        }

        @ExceptionHandler(RateLimitExceededException.class)
        String denied() {
            throw new IllegalStateException("on purpose");
        }
    }
}
