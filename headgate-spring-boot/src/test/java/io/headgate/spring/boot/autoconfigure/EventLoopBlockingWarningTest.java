package io.headgate.spring.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Store;
import io.headgate.spring.RateLimit;
import io.headgate.spring.line.Line;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.reactivestreams.Publisher;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.util.StringUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.config.BlockingExecutionConfigurer;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Handlers on event loops that a store has to be asked about. */
@ExtendWith(OutputCaptureExtension.class)
class EventLoopBlockingWarningTest {

    private static final String WARNING = "blocks an event loop";

    private final ReactiveWebApplicationContextRunner application = new ReactiveWebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    HeadgateAutoConfiguration.class,
                    HeadgateMethodAutoConfiguration.class,
                    HeadgateWebFluxAutoConfiguration.class,
                    TaskExecutionAutoConfiguration.class,
                    Line.WEB_FLUX))
            .withBean(Api.class);

    @Test
    void areWarnedOf(CapturedOutput output) {
        elsewhere().run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(output)
                    .contains("Api#nothing, " + Api.class.getName() + "#plain, ", "Api#published " + WARNING)
                    .contains("return a Mono", "configureBlockingExecution")
                    .doesNotContain("Api#mono", "Api#flux", "Api#future", "Api#onRequest", "Api#free");
            assertThat(StringUtils.countOccurrencesOf(output.getAll(), WARNING)).isEqualTo(1);
        });
    }

    @Test
    void areNotHeldByAStoreInProcess(CapturedOutput output) {
        application.run(context -> assertThat(output).doesNotContain(WARNING));
    }

    /** Spring calls on other threads what is not reactive to it. */
    @Test
    void areNotHeldOnOtherThreads(CapturedOutput output) {
        elsewhere().withBean(WaitExecutor.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(output).contains("on " + Api.class.getName() + "#published " + WARNING);
        });
    }

    private ReactiveWebApplicationContextRunner elsewhere() {
        return application.withBean(Store.class, UnreliableStore::new);
    }

    static class WaitExecutor implements WebFluxConfigurer {

        @Override
        public void configureBlockingExecution(BlockingExecutionConfigurer configurer) {
            configurer.setExecutor(new SimpleAsyncTaskExecutor());
        }
    }

    @RestController
    static class Api {

        @RateLimit(key = "'all'")
        @GetMapping("/plain")
        public String plain() {
            return "";
        }

        @RateLimit(key = "'all'")
        @GetMapping("/nothing")
        public void nothing() {}

        @RateLimit(key = "'all'")
        @GetMapping("/published")
        public Publisher<String> published() {
            return Mono.empty();
        }

        @RateLimit(key = "'all'")
        @GetMapping("/mono")
        public Mono<String> mono() {
            return Mono.empty();
        }

        @RateLimit(key = "'all'")
        @GetMapping("/flux")
        public Flux<String> flux() {
            return Flux.empty();
        }

        @RateLimit(key = "'all'")
        @GetMapping("/future")
        public CompletableFuture<String> future() {
            return CompletableFuture.completedFuture("");
        }

        @RateLimit
        @GetMapping("/request")
        public String onRequest() {
            return "";
        }

        @GetMapping("/free")
        public String free() {
            return "";
        }
    }
}
