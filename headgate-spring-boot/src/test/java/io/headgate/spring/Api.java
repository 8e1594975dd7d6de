package io.headgate.spring;

import java.util.concurrent.CompletableFuture;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpMethod;
import org.springframework.web.bind.annotation.CrossOrigin;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** What every application serves. */
@Import({Advices.class, Api.Never.class})
@RestController
public class Api {

    @GetMapping({"/plain", "/free", "/target", "/keyed", "/two-limits", "/shared", "/strange", "/both", "/closed"})
    String plain() {
        return "ok";
    }

    @GetMapping({"/items/{id}", "/items/{id}/parts"})
    String item(@PathVariable("id") String id) {
        return id;
    }

    @GetMapping("/future")
    CompletableFuture<String> future() {
        return CompletableFuture.supplyAsync(() -> "ok");
    }

    @GetMapping("/broken")
    String broken() {
        throw new IllegalStateException("on purpose");
    }

    @CrossOrigin("http://page")
    @GetMapping({"/cors", "/early"})
    String cors() {
        return "ok";
    }

    @RequestMapping("/echo")
    String echo(HttpMethod method) {
        return method.name();
    }

    @GetMapping("/threads/plain")
    String thread() {
        return Thread.currentThread().getName();
    }

    @RateLimit(value = "1000/h", key = "'all'")
    @GetMapping("/threads/future")
    public CompletableFuture<String> threadOfFuture() {
        return CompletableFuture.completedFuture(thread());
    }

    @RateLimit(value = "1000/h", key = "'all'")
    @GetMapping("/threads/mono")
    public Mono<String> threadOfMono() {
        return Mono.just(thread());
    }

    @RateLimit("2/h")
    @GetMapping("/limited")
    String limited() {
        return "ok";
    }

    @RateLimit(rule = "named")
    @GetMapping("/named")
    String named() {
        return "ok";
    }

    @CrossOrigin(origins = "http://page", exposedHeaders = "X-Own")
    @RateLimit(value = "2/h", key = "#name")
    @GetMapping("/shown/{name}")
    public String shown(@PathVariable("name") String name) {
        return name;
    }

    @RateLimit(value = "2/h", key = "#name")
    @GetMapping("/users/{name}")
    public String user(@PathVariable("name") String name) {
        return name;
    }

    /** What is never done. */
    public static class Never {

        @RateLimit("0/h")
        public void now() {}

        @RateLimit("0/h")
        public Mono<String> later() {
            return Mono.just("never");
        }
    }
}
