package io.headgate.spring.webflux;

import io.headgate.spring.DenialHandlerDetector;
import io.headgate.spring.RateLimitExceededException;
import java.util.Objects;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.method.ControllerAdviceBean;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Answers denied method calls before a general advice turns them into a 500, and after any advice that is for denials.
 *
 * <p>WebFlux consults the advices inside the adapter that calls handlers, where no other component can answer, and an advice has the
 * same order for all controllers. So this one comes after every advice for denials, whether or not that applies to the controller, and
 * among advices of equal order after those of the application.
 */
@ControllerAdvice
public final class DenialAdvice implements Ordered {

    private final DenialHandler handler;
    private final ListableBeanFactory beans;

    public DenialAdvice(DenialHandler handler, ListableBeanFactory beans) {
        this.handler = handler;
        this.beans = beans;
    }

    @ExceptionHandler
    Mono<Void> deny(RateLimitExceededException denial, ServerWebExchange exchange) {
        return handler.handle(exchange, denial);
    }

    /** The order of the last advice for denials; without one, the highest precedence. */
    @Override
    public int getOrder() {
        int order = HIGHEST_PRECEDENCE;
        for (String name : beans.getBeanNamesForAnnotation(ControllerAdvice.class)) {
            Class<?> type = beans.getType(name);
            if (type != null && type != getClass() && DenialHandlerDetector.in(type)) {
                order = Math.max(order, advice(name).getOrder());
            }
        }
        return order;
    }

    private ControllerAdviceBean advice(String name) {
        ControllerAdvice annotation = beans.findAnnotationOnBean(name, ControllerAdvice.class);
        return new ControllerAdviceBean(name, beans, Objects.requireNonNull(annotation));
    }
}
