package io.headgate.spring.webflux;

import io.headgate.spring.OwnRefusals;
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
 * Answers refused method calls before a general advice turns them into a 500, and after any advice that is for refusals.
 *
 * <p>WebFlux consults the advices inside the adapter that calls handlers, where no other component can answer, and an advice has the
 * same order for all controllers. So this one comes after every advice for refusals, whether or not that applies to the controller, and
 * among advices of equal order after those of the application.
 */
@ControllerAdvice
public final class RefusalAdvice implements Ordered {

    private final RefusalHandler handler;
    private final ListableBeanFactory beans;

    public RefusalAdvice(RefusalHandler handler, ListableBeanFactory beans) {
        this.handler = handler;
        this.beans = beans;
    }

    @ExceptionHandler
    Mono<Void> refuse(RateLimitExceededException refusal, ServerWebExchange exchange) {
        return handler.handle(exchange, refusal);
    }

    /** The order of the last advice for refusals; without one, the highest precedence. */
    @Override
    public int getOrder() {
        int order = HIGHEST_PRECEDENCE;
        for (String name : beans.getBeanNamesForAnnotation(ControllerAdvice.class)) {
            Class<?> type = beans.getType(name);
            if (type != null && type != getClass() && OwnRefusals.in(type)) {
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
