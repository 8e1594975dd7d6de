package io.headgate.spring.method;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.Ledger;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Store;
import io.headgate.engine.Grant;
import io.headgate.spring.EventLoop;
import io.headgate.spring.RateLimit;
import io.headgate.spring.boot.autoconfigure.HeadgateAutoConfiguration;
import io.headgate.spring.boot.autoconfigure.HeadgateMethodAutoConfiguration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Calls whose limit a store has to be asked about first. */
class LateCallTest {

    private final CompletableFuture<Decision> answer = new CompletableFuture<>();
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(HeadgateAutoConfiguration.class, HeadgateMethodAutoConfiguration.class))
            .withBean(Store.class, () -> new LateStore(answer))
            .withPropertyValues("headgate.guard.deadline=20s")
            .withBean(Service.class);

    /** Not on one that reads the answers of a store: the call may block. */
    @Test
    void areMadeOnTheThreadsOfTheApplication() {
        application
                .withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class))
                .run(context ->
                        assertThat(thread(context.getBean(Service.class))).startsWith("task-"));
    }

    @Test
    void areMadeOnAnotherThreadThanTheAnswerCameOnWhereThereAreNone() {
        application.run(context -> assertThat(thread(context.getBean(Service.class)))
                .isNotEqualTo(Thread.currentThread().getName()));
    }

    /** As the gate does: once one had to wait, none is told at once. */
    @Test
    void areMadeOnTheEventLoopOfTheRequest() {
        application.run(context -> {
            Mono<String> thread = onLoop(context.getBean(Service.class));
            assertThat(thread.subscribeOn(Schedulers.parallel()).toFuture().get(20, TimeUnit.SECONDS))
                    .startsWith("single-");
        });
    }

    /** Somebody may have put a blocking call where it belongs. */
    @Test
    void areNotMovedToAnEventLoopFromWhereThreadsMayBeHeld() {
        application.run(context -> {
            Mono<String> thread = onLoop(context.getBean(Service.class));
            assertThat(thread.subscribeOn(Schedulers.boundedElastic())
                            .toFuture()
                            .get(20, TimeUnit.SECONDS))
                    .startsWith("boundedElastic-");
        });
    }

    /** A call as part of a request, after one has had to wait. */
    private Mono<String> onLoop(Service service) throws Exception {
        CompletableFuture<String> waiting = service.mono().toFuture();
        assertThat(waiting).isNotDone();
        answer.complete(allowed());
        assertThat(waiting.get(20, TimeUnit.SECONDS)).isNotEmpty();
        return service.mono().contextWrite(of -> of.put(EventLoop.KEY, Schedulers.single()));
    }

    @Test
    void areMadeAtOnceAsLongAsNobodyHadToWait() {
        answer.complete(allowed());
        application.run(context -> assertThat(
                        context.getBean(Service.class).mono().toFuture().getNow(""))
                .isEqualTo(Thread.currentThread().getName()));
    }

    private static Decision allowed() {
        return Grant.of(Limit.parse("1/h"), "*", 1, 0, 0, 0, null);
    }

    private String thread(Service service) throws Exception {
        CompletableFuture<String> thread = service.thread();
        assertThat(thread).isNotDone();
        answer.complete(allowed());
        return thread.get(20, TimeUnit.SECONDS);
    }

    static class Service {

        @RateLimit("1/h")
        public Mono<String> mono() {
            return Mono.fromSupplier(() -> Thread.currentThread().getName());
        }

        @RateLimit("1/h")
        public CompletableFuture<String> thread() {
            return CompletableFuture.completedFuture(Thread.currentThread().getName());
        }
    }

    /** Answers when it is told to. */
    private record LateStore(CompletableFuture<Decision> answer) implements Store {

        @Override
        public Ledger bind(String scope, Plan plan) {
            return new Ledger() {
                @Override
                public Decision apply(String subject, Operation operation) {
                    return answer.join();
                }

                @Override
                public CompletableFuture<Decision> applyAsync(String subject, Operation operation) {
                    return answer;
                }
            };
        }

        @Override
        public boolean blocks() {
            return false;
        }
    }
}
