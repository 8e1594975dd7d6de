package io.headgate.spring.servlet;

import io.headgate.http.Answers;
import io.headgate.spring.RateLimitExceededException;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Answers for methods that refused: as the gate would have, and before somebody turns everything into a 500. Who has a handler
 * for refusals answers himself, and we do where he does not.
 */
public final class RefusalResolver implements HandlerExceptionResolver, Ordered {

    private final ServletAnswers answers;
    private final SingletonSupplier<ExceptionHandlers> handlers;

    public RefusalResolver(Answers answers, ApplicationContext application) {
        this.answers = new ServletAnswers(answers);
        this.handlers = SingletonSupplier.of(() -> new ExceptionHandlers(application));
    }

    @Override
    public @Nullable ModelAndView resolveException(
            HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception thrown) {
        RateLimitExceededException refusal = RateLimitExceededException.in(thrown);
        boolean theirs = refusal != null
                && handler instanceof HandlerMethod method
                && handlers.obtain().areFor(thrown, method, request);
        return theirs ? null : last(request, response, handler, thrown);
    }

    /** Answers for what nobody else did, such as handlers that failed or do not speak the client's language. */
    public @Nullable ModelAndView last(
            HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception thrown) {
        RateLimitExceededException refusal = RateLimitExceededException.in(thrown);
        if (refusal == null) {
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

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }
}
