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

    private final Answers answers;

    ServletAnswers(Answers answers) {
        this.answers = answers;
    }

    /** Tells how things stand, in place of what was told before. */
    void tell(Verdict verdict, HttpServletResponse response) {
        answers.headers(verdict, response::setHeader);
    }

    /** Answers in place of the handler. A page that includes what is refused goes without it. */
    void refuse(Verdict refusal, HttpServletRequest request, HttpServletResponse response) throws IOException {
        tell(refusal, response);
        if (response.isCommitted() || request.getDispatcherType() == DispatcherType.INCLUDE) {
            return;
        }
        byte[] body = answers.body(refusal).getBytes(StandardCharsets.UTF_8);
        response.resetBuffer();
        response.setStatus(answers.status(refusal));
        response.setContentType(answers.contentType());
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }
}
