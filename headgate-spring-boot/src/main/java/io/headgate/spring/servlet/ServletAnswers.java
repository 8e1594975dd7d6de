package io.headgate.spring.servlet;

import io.headgate.http.Answers;
import io.headgate.http.Checkpoint;
import io.headgate.http.Verdict;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.StringJoiner;
import org.springframework.http.HttpHeaders;

/** Puts answers on servlet responses. */
final class ServletAnswers {

    private final Answers answers;

    ServletAnswers(Answers answers) {
        this.answers = answers;
    }

    /** Remembers what the request has been charged for, and tells how things stand. */
    void pass(
            List<Checkpoint> due,
            Verdict verdict,
            Trail trail,
            HttpServletRequest request,
            HttpServletResponse response) {
        trail.pass(due, verdict, request);
        if (verdict.decision() != null) {
            tell(trail.told(), response);
        }
    }

    /** Tells how things stand, in place of what was told before. */
    private void tell(Verdict verdict, HttpServletResponse response) {
        answers.headers(verdict, response::setHeader);
    }

    /**
     * Answers in place of the handler. A page that includes what is refused goes without it; one of another origin that may read
     * the answer may read its headers, too.
     */
    void refuse(Verdict refusal, HttpServletRequest request, HttpServletResponse response) throws IOException {
        takeBack(request, response);
        tell(refusal, response);
        if (response.isCommitted() || request.getDispatcherType() == DispatcherType.INCLUDE) {
            return;
        }
        if (response.containsHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN)) {
            StringJoiner names = new StringJoiner(", ");
            answers.headers(refusal, (name, value) -> names.add(name));
            if (names.length() > 0) {
                response.addHeader(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS, names.toString());
            }
        }
        response.resetBuffer();
        response.setStatus(answers.status(refusal));
        response.setContentType(answers.contentType());
        write(answers.body(refusal), response);
    }

    /** A refusal stands alone: when the store has failed it says nothing of quotas, whatever a rule knew before. */
    private void takeBack(HttpServletRequest request, HttpServletResponse response) {
        Verdict told = Trail.of(request).told();
        if (told.decision() != null) {
            answers.headers(told, (name, value) -> response.setHeader(name, null));
        }
    }

    private static void write(String body, HttpServletResponse response) throws IOException {
        ServletOutputStream out;
        try {
            out = response.getOutputStream();
        } catch (IllegalStateException e) { // somebody has taken the writer, in an encoding that stays
            response.setContentLength(body.getBytes(Charset.forName(response.getCharacterEncoding())).length);
            response.getWriter().write(body);
            return;
        }
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        response.setContentLength(bytes.length);
        out.write(bytes);
    }
}
