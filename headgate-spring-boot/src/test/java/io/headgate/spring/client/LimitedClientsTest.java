package io.headgate.spring.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.Ledger;
import io.headgate.Operation;
import io.headgate.TimeSource;
import io.headgate.http.LedgerFactory;
import io.headgate.http.client.OutgoingClient;
import io.headgate.http.client.OutgoingLimitException;
import io.headgate.http.client.OutgoingLimits;
import io.headgate.rig.RedisServer;
import io.headgate.spring.boot.autoconfigure.HeadgateAutoConfiguration;
import io.headgate.spring.boot.autoconfigure.HeadgateClientAutoConfiguration;
import io.headgate.spring.boot.autoconfigure.HeadgateRedisAutoConfiguration;
import io.headgate.spring.line.Line;
import io.headgate.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.outgoing.RestTemplateBuilder;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** The clients of Spring, in an application that names a client in its settings. */
class LimitedClientsTest {

    private final Served server = new Served();

    /** The builders as Spring Boot declares them. */
    @Configuration(proxyBeanMethods = false)
    static class Builders {

        @Bean
        @Scope("prototype")
        RestClient.Builder restClients() {
            return RestClient.builder();
        }

        @Bean
        @Scope("prototype")
        WebClient.Builder webClients() {
            return WebClient.builder();
        }

        @Bean
        RestTemplateBuilder templates() {
            return new RestTemplateBuilder();
        }

        @Bean
        RestTemplate template(RestTemplateBuilder templates) {
            return templates.build();
        }

        @Bean
        ManualTime time() {
            return new ManualTime();
        }
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static ApplicationContextRunner application(String... settings) {
        return new ApplicationContextRunner()
                .withUserConfiguration(Builders.class)
                .withConfiguration(AutoConfigurations.of(
                        Line.DATA_REDIS,
                        HeadgateRedisAutoConfiguration.class,
                        HeadgateAutoConfiguration.class,
                        HeadgateClientAutoConfiguration.class))
                .withPropertyValues("headgate.store=memory")
                .withPropertyValues("headgate.clients[0].name=payments", "headgate.clients[0].hosts=localhost")
                .withPropertyValues(settings);
    }

    private HttpStatusCode rest(ApplicationContext context) {
        return context.getBean(RestClient.Builder.class)
                .build()
                .get()
                .uri(server.url())
                .retrieve()
                .onStatus(status -> true, (request, response) -> {})
                .toBodilessEntity()
                .getStatusCode();
    }

    private Mono<Integer> web(ApplicationContext context) {
        return context.getBean(WebClient.Builder.class)
                .build()
                .get()
                .uri(server.url())
                .exchangeToMono(response ->
                        response.releaseBody().thenReturn(response.statusCode().value()));
    }

    private int template(RestTemplate template) {
        return template.getForEntity(server.url(), String.class).getStatusCode().value();
    }

    @Test
    void restClientIsLimited() {
        application("headgate.clients[0].limits=2/h").run(context -> {
            rest(context);
            rest(context);
            assertThatExceptionOfType(OutgoingLimitException.class)
                    .isThrownBy(() -> rest(context))
                    .satisfies(e -> assertThat(e.retryAfter()).isEqualTo(Duration.ofMinutes(30)));
            assertThat(server.requests()).isEqualTo(2);
        });
    }

    @Test
    void restTemplateIsLimitedOnceWhoeverBuildsIt() {
        application("headgate.clients[0].limits=4/h").run(context -> {
            RestTemplate bean = context.getBean(RestTemplate.class);
            RestTemplate built = context.getBean(RestTemplateBuilder.class).build();
            assertThat(List.of(template(bean), template(built), template(bean), template(built)))
                    .containsOnly(200);
            assertThatExceptionOfType(OutgoingLimitException.class).isThrownBy(() -> template(bean));
            assertThatExceptionOfType(OutgoingLimitException.class).isThrownBy(() -> template(built));
        });
    }

    @Test
    void webClientIsLimitedPerSubscription() {
        application("headgate.clients[0].limits=2/h").run(context -> {
            Mono<Integer> request = web(context);
            assertThat(request.block()).isEqualTo(200);
            assertThat(request.block()).isEqualTo(200);
            assertThatExceptionOfType(OutgoingLimitException.class).isThrownBy(request::block);
            assertThat(server.requests()).isEqualTo(2);
        });
    }

    @Test
    void subscribersWaitInOrderAndOneWhoLeavesGivesItsPermitBack() {
        application("headgate.clients[0].limits=1/s", "headgate.clients[0].max-wait=3s")
                .run(context -> {
                    ManualTime time = context.getBean(ManualTime.class);
                    assertThat(web(context).block()).isEqualTo(200);
                    Disposable first = web(context).subscribe();
                    List<CompletableFuture<Integer>> others = new ArrayList<>();
                    others.add(web(context).toFuture());
                    others.add(web(context).toFuture());

                    first.dispose();
                    time.advance(Duration.ofSeconds(1));
                    assertThat(others.get(0).join()).isEqualTo(200);
                    assertThat(others.get(1)).isNotDone();
                    time.advance(Duration.ofSeconds(1));
                    assertThat(others.get(1).join()).isEqualTo(200);
                    assertThat(server.requests()).isEqualTo(3);
                });
    }

    @Test
    void whatOneClientLearnsHoldsForAll() {
        application().run(context -> {
            server.answer(429, Map.of("Retry-After", "30"));
            assertThat(rest(context).value()).isEqualTo(429);
            assertThatExceptionOfType(OutgoingLimitException.class)
                    .isThrownBy(() -> web(context).block())
                    .satisfies(e -> assertThat(e.retryAfter()).isEqualTo(Duration.ofSeconds(30)));

            context.getBean(ManualTime.class).advance(Duration.ofSeconds(30));
            server.answer(200, Map.of("RateLimit", "\"a\";r=0;t=7"));
            assertThat(web(context).block()).isEqualTo(200);
            assertThatExceptionOfType(OutgoingLimitException.class)
                    .isThrownBy(() -> rest(context))
                    .satisfies(e -> assertThat(e.retryAfter()).isEqualTo(Duration.ofSeconds(7)));
            assertThat(server.requests()).isEqualTo(2);
        });
    }

    /** What follows may wait for the store, and must not do so on the thread that reads its replies. */
    @Test
    void nothingOfTheApplicationRunsOnAThreadOfTheStore() {
        ExecutorService store = Executors.newSingleThreadExecutor(task -> new Thread(task, "store"));
        CountDownLatch asked = new CountDownLatch(1);
        LedgerFactory ledgers = (scope, plan, policy) -> {
            Ledger ledger = Headgate.builder().build().store().bind(scope, plan);
            return new Ledger() {
                @Override
                public Decision apply(String subject, Operation operation) {
                    return ledger.apply(subject, operation);
                }

                @Override
                public CompletableFuture<Decision> applyAsync(String subject, Operation operation) {
                    return CompletableFuture.supplyAsync(
                            () -> {
                                try {
                                    asked.await();
                                } catch (InterruptedException e) {
                                    throw new IllegalStateException(e);
                                }
                                return ledger.apply(subject, operation);
                            },
                            store);
                }
            };
        };
        OutgoingLimits limits = OutgoingLimits.of(
                ledgers,
                TimeSource.system(),
                "token-bucket",
                List.of(OutgoingClient.named("local").hosts("localhost").limits("1/h")));
        Queue<String> threads = new ConcurrentLinkedQueue<>();
        Mono<Integer> request = WebClient.builder()
                .filter(new OutgoingExchangeFilter(limits))
                .filter((sent, next) -> {
                    threads.add(Thread.currentThread().getName());
                    return next.exchange(sent);
                })
                .build()
                .get()
                .uri(server.url())
                .retrieve()
                .toBodilessEntity()
                .map(answer -> answer.getStatusCode().value())
                .onErrorResume(OutgoingLimitException.class, e -> {
                    threads.add(Thread.currentThread().getName());
                    return Mono.just(0);
                });
        try {
            CompletableFuture<Integer> first = request.toFuture();
            CompletableFuture<Integer> second = request.toFuture();
            asked.countDown();
            assertThat(List.of(first.join(), second.join())).containsExactlyInAnyOrder(200, 0);
            assertThat(threads).hasSize(2).doesNotContain("store");
        } finally {
            store.shutdownNow();
        }
    }

    @Test
    void a429ThatIsThrownIsLearnedToo() {
        application().run(context -> {
            server.answer(429, Map.of("Retry-After", "30"));
            RestTemplate template = context.getBean(RestTemplate.class);
            assertThatExceptionOfType(HttpClientErrorException.class).isThrownBy(() -> template(template));
            assertThatExceptionOfType(OutgoingLimitException.class).isThrownBy(() -> template(template));
        });
    }

    @Test
    void anotherInstancePausesToo() {
        try (RedisServer redis = RedisServer.start()) {
            ApplicationContextRunner instance = application(
                    "headgate.store=redis",
                    "headgate.instances=2",
                    "headgate.guard.deadline=10s",
                    "spring.data.redis.host=" + redis.host(),
                    "spring.data.redis.port=" + redis.port());
            instance.run(one -> instance.run(other -> {
                assertThat(rest(one).value()).isEqualTo(200);
                assertThat(rest(other).value()).isEqualTo(200);
                server.answer(429, Map.of("Retry-After", "600"));
                assertThat(rest(one).value()).isEqualTo(429);

                OutgoingLimitException paused = pausedInTheEnd(other);
                assertThat(paused.retryAfter()).isBetween(Duration.ofMinutes(5), Duration.ofMinutes(10));
                assertThatExceptionOfType(OutgoingLimitException.class).isThrownBy(() -> rest(one));
            }));
        }
    }

    /** The pause is on its way to Redis when the answer arrives here: asks until it is there, without sending more than a few. */
    private OutgoingLimitException pausedInTheEnd(ApplicationContext instance) {
        server.answer(200, Map.of());
        while (true) {
            try {
                rest(instance);
            } catch (OutgoingLimitException e) {
                return e;
            }
        }
    }

    @Test
    void otherHostsAndApplicationsWithoutClientsAreLeftAlone() {
        application("headgate.clients[0].hosts=api.example.com", "headgate.clients[0].limits=1/h")
                .run(context -> {
                    rest(context);
                    rest(context);
                    assertThat(web(context).block()).isEqualTo(200);
                });
        new ApplicationContextRunner()
                .withUserConfiguration(Builders.class)
                .withConfiguration(
                        AutoConfigurations.of(HeadgateAutoConfiguration.class, HeadgateClientAutoConfiguration.class))
                .run(context -> assertThat(context.getBean(RestTemplate.class).getInterceptors())
                        .isEmpty());
    }

    @Test
    void worksWithoutWebFlux() {
        new ApplicationContextRunner()
                .withClassLoader(new FilteredClassLoader(WebClient.class, ExchangeFilterFunction.class))
                .withConfiguration(
                        AutoConfigurations.of(HeadgateAutoConfiguration.class, HeadgateClientAutoConfiguration.class))
                .withPropertyValues("headgate.clients[0].name=payments", "headgate.clients[0].hosts=localhost")
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(OutgoingRequestInterceptor.class));
    }
}
