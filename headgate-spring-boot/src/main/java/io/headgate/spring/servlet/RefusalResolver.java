package io.headgate.spring.servlet;

import io.headgate.http.Answers;
import io.headgate.spring.OwnRefusals;
import io.headgate.spring.RateLimitExceededException;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.web.method.ControllerAdviceBean;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Answers for methods that refused: as the gate would have, and before somebody turns everything into a 500. Who has a handler
 * for refusals answers himself.
 */
public final class RefusalResolver implements HandlerExceptionResolver, Ordered {

    private final ServletAnswers answers;
    private final ListableBeanFactory beans;
    private final Map<Class<?>, Boolean> own = new ConcurrentHashMap<>();

    public RefusalResolver(Answers answers, ListableBeanFactory beans) {
        this.answers = new ServletAnswers(answers);
        this.beans = beans;
    }

    @Override
    public @Nullable ModelAndView resolveException(
            HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception thrown) {
        RateLimitExceededException refusal = RateLimitExceededException.in(thrown);
        if (refusal == null || (refusal == thrown && own(handler))) {
            return null;
        }
        if (response.isCommitted() && request.getDispatcherType() != DispatcherType.INCLUDE) {
            throw refusal; // past everybody who would append to what was sent: only the server can break it off
        }
        try {
            answers.refuse(refusal.verdict(), request, response);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new ModelAndView();
    }

    private boolean own(@Nullable Object handler) {
        return handler instanceof HandlerMethod method && own.computeIfAbsent(method.getBeanType(), this::answers);
    }

    private boolean answers(Class<?> controller) {
        return OwnRefusals.in(controller)
                || ControllerAdviceBean.findAnnotatedBeans(beans).stream()
                        .filter(advice -> advice.isApplicableToBeanType(controller))
                        .map(ControllerAdviceBean::getBeanType)
                        .anyMatch(type -> type != null && OwnRefusals.in(type));
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }
}
