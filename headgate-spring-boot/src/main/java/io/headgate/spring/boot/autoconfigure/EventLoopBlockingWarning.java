package io.headgate.spring.boot.autoconfigure;

import io.headgate.spring.HandlerLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.util.ClassUtils;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;

/** Warns once about handlers that block an event loop while a remote store checks their limits. */
final class EventLoopBlockingWarning implements SmartInitializingSingleton {

    private static final Log LOG = LogFactory.getLog("io.headgate");

    private final Iterable<RequestMappingHandlerMapping> mappings;
    private final HandlerLimits limits;
    private final Iterable<WebFluxConfigurer> settings;

    EventLoopBlockingWarning(
            Iterable<RequestMappingHandlerMapping> mappings,
            HandlerLimits limits,
            Iterable<WebFluxConfigurer> settings) {
        this.mappings = mappings;
        this.limits = limits;
        this.settings = settings;
    }

    @Override
    public void afterSingletonsInstantiated() {
        List<HandlerMethod> waiting = new ArrayList<>();
        mappings.forEach(mapping -> mapping.getHandlerMethods().values().stream()
                .filter(limits::blocksThread)
                .forEach(waiting::add));
        if (!waiting.isEmpty()) {
            waiting.removeIf(new BlockingHandlerThreads(settings)::call);
        }
        if (!waiting.isEmpty()) {
            LOG.warn("@RateLimit with a key on " + named(waiting)
                    + " blocks an event loop while it waits for the store; "
                    + "return a Mono, or let Spring call such handlers on other threads: set spring.threads.virtual.enabled=true, "
                    + "or override configureBlockingExecution of a WebFluxConfigurer");
        }
    }

    private static String named(List<HandlerMethod> handlers) {
        return handlers.stream()
                .map(handler -> ClassUtils.getUserClass(handler.getBeanType()).getName() + "#"
                        + handler.getMethod().getName())
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
    }
}
