package io.headgate.spring.method;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.Key;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Store;
import io.headgate.TimeSource;
import io.headgate.memory.MemoryStore;
import io.headgate.spring.RateLimit;
import io.headgate.spring.RateLimitExceededException;
import io.headgate.spring.RuleLines;
import io.headgate.spring.Running;
import java.io.ByteArrayInputStream;
import java.io.SequenceInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.greenbytes.http.sfv.Parser;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.config.BlockingExecutionConfigurer;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Known bug O10: every limit that a request was charged to shows in its headers, whoever charged it. */
class CallHeadersTest {

    private static final String[] CEILING = Stream.concat(
                    Stream.of(new RuleLines()
                            .rule("ceiling", "/api/**", "limits=300/min")
                            .rule("door", "/api/door/**", "limits=200/min", "stage=filter")
                            .and()),
                    Stream.of(Running.WITHOUT_SPRING_SECURITY, "headgate.guard.deadline=20s", "headgate.instances=1"))
            .toArray(String[]::new);

    /** What a handler with a key is told of. */
    private static final String CEILING_AND_FIVE = "\"ceiling\";q=300;w=60, \"user\";q=5;w=60";

    /** Each stack, in memory and over a store that answers from another thread; on WebFlux also with handlers on other threads. */
    @ParameterizedTest
    @CsvSource({
        "MVC, Application",
        "MVC, Waiting",
        "WEBFLUX, Application",
        "WEBFLUX, Waiting",
        "WEBFLUX, OtherThreads",
        "WEBFLUX, OtherThreadsWaiting"
    })
    void tellsOfEveryLimitThatWasCharged(Stack stack, String application) {
        try (Running running = stack.run(application)) {
            assertHandlers(running, stack.handlers(application));
            assertServices(running, stack.services());
            assertEveryStage(running, stack.often(application));
            assertNothingOfDeniedCalls(running);
            assertNothingOutside(running);
        }
    }

    private static void assertHandlers(Running running, List<String> handlers) {
        for (String path : handlers) {
            for (int left = 4; left >= 0; left--) {
                assertTold(get(running, "/api/" + path + "/carl"), CEILING_AND_FIVE, "5", left);
            }
            HttpResponse<String> sixth = get(running, "/api/" + path + "/carl");
            assertThat(sixth.statusCode()).isEqualTo(429);
            assertThat(sixth.headers().allValues("RateLimit-Policy")).containsExactly("\"user\";q=5;w=60");
            assertThat(sixth.headers().allValues("RateLimit")).hasSize(1);
            assertThat(header(sixth, "X-RateLimit-Remaining")).isEqualTo("0");
            assertTold(get(running, "/api/" + path + "/ann"), CEILING_AND_FIVE, "5", 4);
        }
    }

    /** Responses that nothing but a service limits. */
    private static void assertServices(Running running, List<String> services) {
        for (String path : services) {
            String policy =
                    path.startsWith("keyed") ? "\"handler\";q=100;w=60, \"service\";q=5;w=60" : "\"service\";q=5;w=60";
            for (int left = 4; left >= 0; left--) {
                assertTold(get(running, "/" + path), policy, "5", left);
            }
            assertThat(get(running, "/" + path).statusCode()).isEqualTo(429);
        }
        for (int left = 4; left >= 0; left--) {
            assertTold(post(running, "/free/posted"), "\"service\";q=5;w=60", "5", left);
        }
        assertThat(post(running, "/free/posted").statusCode()).isEqualTo(429);
    }

    /** The rules of both stages and a method; a method that is called often is one item. */
    private static void assertEveryStage(Running running, List<String> often) {
        for (String path : often) {
            HttpResponse<String> answer = get(running, "/api/door/" + path + "/3");
            assertTold(answer, "\"door\";q=200;w=60, \"ceiling\";q=300;w=60, \"service\";q=5;w=60", "5", 2);
        }
    }

    /** What an application does about a denied call itself is no denial of the request. */
    private static void assertNothingOfDeniedCalls(Running running) {
        HttpResponse<String> answer = get(running, "/api/caught");
        assertThat(answer.body()).isEqualTo("caught");
        assertThat(header(answer, "RateLimit-Policy")).isEqualTo("\"ceiling\";q=300;w=60");
        assertThat(answer.headers().firstValue("Retry-After")).isEmpty();
    }

    /** Calls on a thread that works on no request, and a request that calls nothing. */
    private static void assertNothingOutside(Running running) {
        Service service = running.context().getBean(Service.class);
        assertThat(service.plain("outside")).isEqualTo("ok");
        assertThat(service.mono("outside").block()).isEqualTo("ok");
        assertThat(service.future("outside").join()).isEqualTo("ok");
        assertThat(get(running, "/none").headers().firstValue("RateLimit")).isEmpty();
    }

    /** On a connection of its own: Reactor Netty 1.3.7 may stop reading one on which delayed and immediate responses alternate. */
    private static HttpResponse<String> get(Running running, String path) {
        return Running.of(running.context()).get(path);
    }

    /** A handler is called when the body has arrived. */
    private static HttpResponse<String> post(Running running, String path) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + running.port() + path))
                .POST(HttpRequest.BodyPublishers.ofInputStream(() -> new SequenceInputStream(
                        new ByteArrayInputStream(new byte[20_000]), new ByteArrayInputStream(new byte[20_000]))))
                .build();
        return HttpClient.newHttpClient()
                .sendAsync(request, HttpResponse.BodyHandlers.ofString())
                .join();
    }

    private static void assertTold(HttpResponse<String> answer, String policy, String limit, int remaining) {
        assertThat(answer.statusCode()).as(answer.uri() + " " + answer.body()).isEqualTo(200);
        assertThat(answer.headers().allValues("RateLimit-Policy"))
                .as(answer.uri().toString())
                .containsExactly(policy);
        assertThat(answer.headers().allValues("RateLimit")).hasSize(1);
        assertThat(Parser.parseList(header(answer, "RateLimit")).get())
                .hasSameSizeAs(Parser.parseList(policy).get());
        assertThat(header(answer, "X-RateLimit-Limit")).isEqualTo(limit);
        assertThat(header(answer, "X-RateLimit-Remaining")).isEqualTo(Integer.toString(remaining));
    }

    private static String header(HttpResponse<String> answer, String name) {
        return answer.headers().firstValue(name).orElse("none");
    }

    enum Stack {
        MVC,
        WEBFLUX;

        Running run(String application) {
            Class<?> type = Map.of(
                            "Application", Application.class,
                            "Waiting", Waiting.class,
                            "OtherThreads", OtherThreads.class,
                            "OtherThreadsWaiting", OtherThreadsWaiting.class)
                    .get(application);
            return this == MVC ? Running.servlet(type, CEILING) : Running.reactive(type, CEILING);
        }

        /** Without a stream whose headers MVC sends before it knows of the first element, and so before a late verdict. */
        List<String> handlers(String application) {
            List<String> all = List.of("user", "user-mono", "user-future", "user-body", "user-flux");
            return this == MVC && application.equals("Waiting") ? all.subList(0, 4) : all;
        }

        /** On MVC the thread of the request subscribes only to the first of calls that have to wait. */
        List<String> often(String application) {
            return this == MVC && application.equals("Waiting") ? List.of("plain") : List.of("plain", "mono");
        }

        /** Callables are for MVC only, and the headers of a stream are sent there before it starts. */
        List<String> services() {
            List<String> both = List.of(
                    "free/plain",
                    "free/named?name=x",
                    "free/joined",
                    "free/future",
                    "free/mono",
                    "keyed/plain",
                    "routed");
            return Stream.concat(both.stream(), Stream.of(this == MVC ? "free/callable" : "free/flux"))
                    .toList();
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Users.class, Services.class, Service.class})
    static class Application {

        @Bean
        @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
        RouterFunction<?> reactiveRoute(Service service) {
            return RouterFunctions.route()
                    .GET("/routed", request -> ServerResponse.ok().bodyValue(service.plain("/routed")))
                    .build();
        }

        @Bean
        @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
        org.springframework.web.servlet.function.RouterFunction<?> mvcRoute(Service service) {
            return org.springframework.web.servlet.function.RouterFunctions.route()
                    .GET(
                            "/routed",
                            request -> org.springframework.web.servlet.function.ServerResponse.ok()
                                    .body(service.plain("/routed")))
                    .build();
        }
    }

    /** Its store answers from another thread. */
    @Import(Application.class)
    @SpringBootConfiguration
    static class Waiting {

        @Bean
        Store store(TimeSource time) {
            return new LateStore(new MemoryStore(Headgate.algorithms(), time, 1_000));
        }
    }

    /** Has Spring call blocking handlers on threads of an executor. */
    @Import(Application.class)
    @SpringBootConfiguration
    static class OtherThreads implements WebFluxConfigurer {

        @Override
        public void configureBlockingExecution(BlockingExecutionConfigurer configurer) {
            configurer.setExecutor(new SimpleAsyncTaskExecutor());
        }
    }

    @Import(Waiting.class)
    @SpringBootConfiguration
    static class OtherThreadsWaiting extends OtherThreads {}

    private record LateStore(Store memory) implements Store {

        @Override
        public Decision apply(Key key, Plan plan, Operation operation) {
            return memory.apply(key, plan, operation);
        }

        @Override
        public CompletableFuture<Decision> applyAsync(Key key, Plan plan, Operation operation) {
            return CompletableFuture.supplyAsync(
                    () -> apply(key, plan, operation), CompletableFuture.delayedExecutor(2, TimeUnit.MILLISECONDS));
        }

        @Override
        public void check(Plan plan) {
            memory.check(plan);
        }
    }

    @RestController
    static class Users {

        @RateLimit(value = "5/min", key = "#name", name = "user")
        @GetMapping("/api/user/{name}")
        public String user(@PathVariable("name") String name) {
            return name;
        }

        @RateLimit(value = "5/min", key = "'mono' + #name", name = "user")
        @GetMapping("/api/user-mono/{name}")
        public Mono<String> mono(@PathVariable("name") String name) {
            return Mono.just(name);
        }

        @RateLimit(value = "5/min", key = "'flux' + #name", name = "user")
        @GetMapping("/api/user-flux/{name}")
        public Flux<String> flux(@PathVariable("name") String name) {
            return Flux.just(name, "!");
        }

        @RateLimit(value = "5/min", key = "'future' + #name", name = "user")
        @GetMapping("/api/user-future/{name}")
        public CompletableFuture<String> future(@PathVariable("name") String name) {
            return CompletableFuture.supplyAsync(() -> name);
        }

        /** Longer than what a server holds back before it sends the headers. */
        @RateLimit(value = "5/min", key = "'body' + #name", name = "user")
        @GetMapping("/api/user-body/{name}")
        public String body(@PathVariable("name") String name) {
            return name.repeat(100_000);
        }
    }

    /** Limited by nothing but the service that it calls, under {@code /free}. */
    @RestController
    static class Services {

        private final Service service;

        Services(Service service) {
            this.service = service;
        }

        @GetMapping("/free/plain")
        String plain() {
            return service.plain("/free/plain");
        }

        @GetMapping("/free/named")
        String named(@RequestParam("name") String name) {
            return service.plain("/free/named");
        }

        @PostMapping("/free/posted")
        String posted(@RequestBody byte[] body) {
            assertThat(body).hasSize(40_000);
            return service.plain("/free/posted");
        }

        @GetMapping("/free/joined")
        String joined() {
            return service.future("/free/joined").join();
        }

        @GetMapping("/free/future")
        CompletableFuture<String> future() {
            return service.future("/free/future");
        }

        @GetMapping("/free/callable")
        Callable<String> callable() {
            return () -> service.plain("/free/callable");
        }

        @GetMapping("/free/mono")
        Mono<String> mono() {
            return service.mono("/free/mono");
        }

        @GetMapping("/free/flux")
        Flux<String> flux() {
            return service.flux("/free/flux");
        }

        @RateLimit(value = "100/min", key = "'all'", name = "handler")
        @GetMapping("/keyed/plain")
        public String keyed() {
            return service.plain("/keyed/plain");
        }

        @GetMapping("/api/door/plain/{times}")
        String often(@PathVariable("times") int times) {
            for (int i = 1; i < times; i++) {
                service.plain("/api/door/plain/{times}");
            }
            return service.plain("/api/door/plain/{times}");
        }

        @GetMapping("/api/door/mono/{times}")
        Mono<String> oftenLater(@PathVariable("times") int times) {
            return service.mono("/api/door/mono/{times}").repeat(times - 1).last();
        }

        @GetMapping("/api/caught")
        Mono<String> caught() {
            return service.never().onErrorReturn(RateLimitExceededException.class, "caught");
        }

        @GetMapping("/none")
        String none() {
            return "ok";
        }
    }

    static class Service {

        @RateLimit(value = "5/min", key = "#who", name = "service")
        public String plain(String who) {
            return "ok";
        }

        @RateLimit(value = "5/min", key = "#who", name = "service")
        public CompletableFuture<String> future(String who) {
            return CompletableFuture.completedFuture("ok");
        }

        @RateLimit(value = "5/min", key = "#who", name = "service")
        public Mono<String> mono(String who) {
            return Mono.just("ok");
        }

        @RateLimit(value = "5/min", key = "#who", name = "service")
        public Flux<String> flux(String who) {
            return Flux.just("o", "k");
        }

        @RateLimit(value = "0/min", name = "never")
        public Mono<String> never() {
            return Mono.just("never");
        }
    }
}
