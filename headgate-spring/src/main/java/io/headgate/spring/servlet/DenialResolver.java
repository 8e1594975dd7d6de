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
 * Answers denied method calls as the gate would, before another resolver turns them into a 500. If the application has an
 * exception handler for denials, that handler answers, and this resolver only if the handler does not.
 */
public final class DenialResolver implements HandlerExceptionResolver, Ordered {

    private final ServletAnswers answers;
    private final SingletonSupplier<ExceptionHandlers> handlers;

    public DenialResolver(Answers answers, ApplicationContext application) {
        this.answers = new ServletAnswers(answers);
        this.handlers = SingletonSupplier.of(() -> new ExceptionHandlers(application));
    }

    @Override
    public @Nullable ModelAndView resolveException(
            HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception thrown) {
        RateLimitExceededException denial = RateLimitExceededException.in(thrown);
        boolean theirs = denial != null
                && handler instanceof HandlerMethod method
                && handlers.obtain().areFor(thrown, method, request);
        return theirs ? null : last(request, response, handler, thrown);
    }

    /** Answers denials that nothing else has answered, such as when an exception handler fails or has no media type for the client. */
    public @Nullable ModelAndView last(
            HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception thrown) {
        RateLimitExceededException denial = RateLimitExceededException.in(thrown);
        if (denial == null) {
            return null;
        }
        if (response.isCommitted() && request.getDispatcherType() != DispatcherType.INCLUDE) {
            throw denial; // past resolvers that would append to what was sent: only the server can abort it
        }
        try {
            answers.deny(denial.verdict(), request, response);
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
