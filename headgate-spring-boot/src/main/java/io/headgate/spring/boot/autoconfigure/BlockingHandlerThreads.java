package io.headgate.spring.boot.autoconfigure;

import io.headgate.spring.webflux.ReportedThreads;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.Ordered;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.config.BlockingExecutionConfigurer;
import org.springframework.web.reactive.config.WebFluxConfigurer;

/** The threads on which Spring is configured to call blocking handlers. */
final class BlockingHandlerThreads extends BlockingExecutionConfigurer {

    BlockingHandlerThreads(Iterable<WebFluxConfigurer> settings) {
        settings.forEach(each -> each.configureBlockingExecution(this));
    }

    boolean call(HandlerMethod handler) {
        Predicate<HandlerMethod> chosen = getBlockingControllerMethodPredicate();
        Class<?> returned = handler.getMethod().getReturnType();
        return getExecutor() != null
                && (chosen == null
                        ? ReactiveAdapterRegistry.getSharedInstance().getAdapter(returned) == null
                        : chosen.test(handler));
    }

    private @Nullable AsyncTaskExecutor configured() {
        return getExecutor();
    }

    /** Lets handlers on those threads report their charges. It comes last, and so sees the executor that the others have set. */
    record Reported(ObjectProvider<WebFluxConfigurer> all) implements WebFluxConfigurer, Ordered {

        @Override
        public void configureBlockingExecution(BlockingExecutionConfigurer configurer) {
            List<WebFluxConfigurer> others =
                    all.orderedStream().filter(each -> each != this).toList();
            AsyncTaskExecutor threads = new BlockingHandlerThreads(others).configured();
            if (threads != null) {
                configurer.setExecutor(new ReportedThreads(threads));
            }
        }

        @Override
        public int getOrder() {
            return LOWEST_PRECEDENCE;
        }
    }
}
