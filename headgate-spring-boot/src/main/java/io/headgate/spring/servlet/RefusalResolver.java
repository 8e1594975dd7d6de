package io.headgate.spring.servlet;

import io.headgate.http.Answers;
import io.headgate.spring.RateLimitExceededException;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/** Answers for methods that refused: as the gate would have, and before somebody turns everything into a 500. */
public final class RefusalResolver implements HandlerExceptionResolver, Ordered {

    private final ServletAnswers answers;

    public RefusalResolver(Answers answers) {
        this.answers = new ServletAnswers(answers);
    }

    @Override
    public @Nullable ModelAndView resolveException(
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
