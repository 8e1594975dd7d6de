package io.headgate.spring.servlet;

import io.headgate.http.Answers;
import io.headgate.http.Verdict;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Puts answers on servlet responses. */
final class ServletAnswers {

    private static final String TOLD = ServletAnswers.class.getName();

    private final Answers answers;

    ServletAnswers(Answers answers) {
        this.answers = answers;
    }

    /**
     * Tells how things stand after this stage and the ones before, and refuses if need be; whether the request may go on. A
     * page that includes what is refused goes without it.
     */
    boolean answer(Verdict verdict, HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (verdict.decision() == null) {
            return true;
        }
        Verdict together = request.getAttribute(TOLD) instanceof Verdict told ? told.and(verdict) : verdict;
        request.setAttribute(TOLD, together);
        answers.headers(together, response::setHeader);
        if (verdict.allowed()) {
            return true;
        }
        if (!response.isCommitted() && request.getDispatcherType() != DispatcherType.INCLUDE) {
            byte[] body = answers.body(verdict).getBytes(StandardCharsets.UTF_8);
            response.resetBuffer();
            response.setStatus(answers.status(verdict));
            response.setContentType(answers.contentType());
            response.setContentLength(body.length);
            response.getOutputStream().write(body);
        }
        return false;
    }
}
