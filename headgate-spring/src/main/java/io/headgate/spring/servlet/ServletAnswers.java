package io.headgate.spring.servlet;

import io.headgate.http.Answers;
import io.headgate.http.BoundRule;
import io.headgate.http.Verdict;
import io.headgate.spring.RequestCharges;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/** Writes answers to servlet responses. */
final class ServletAnswers {

    private final Answers answers;

    ServletAnswers(Answers answers) {
        this.answers = answers;
    }

    /** Records what the request has been charged for, and sets the headers if the response is at hand. */
    void pass(
            List<BoundRule> due,
            Verdict verdict,
            RequestCharges charges,
            HttpServletRequest request,
            @Nullable HttpServletResponse response) {
        charges.pass(due, verdict);
        keep(charges, request);
        if (verdict.decision() != null && response != null) {
            setHeaders(charges.verdict(), response);
        }
    }

    /** The charges of the request; new ones, not yet an attribute of the request, if there are none. */
    static RequestCharges charges(ServletRequest request) {
        return RequestCharges.of(request.getAttribute(RequestCharges.ATTRIBUTE));
    }

    /** Makes the charges an attribute of the request. */
    @SuppressWarnings("ReferenceEquality") // the attribute is set once
    static void keep(RequestCharges charges, ServletRequest request) {
        if (request.getAttribute(RequestCharges.ATTRIBUTE) != charges) {
            request.setAttribute(RequestCharges.ATTRIBUTE, charges);
        }
    }

    /** Sets the headers, in place of those set before. */
    void setHeaders(Verdict verdict, HttpServletResponse response) {
        answers.headers(verdict, response::setHeader);
    }

    /**
     * Answers in place of the handler. A denied include leaves the including page without that part. A page of another origin that
     * may read the answer may read its headers, too.
     */
    void deny(Verdict denial, HttpServletRequest request, HttpServletResponse response) throws IOException {
        removeHeaders(request, response);
        setHeaders(denial, response);
        if (response.isCommitted() || request.getDispatcherType() == DispatcherType.INCLUDE) {
            return;
        }
        if (response.containsHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN)) {
            StringJoiner names = new StringJoiner(", ");
            answers.headers(denial, (name, value) -> names.add(name));
            if (names.length() > 0) {
                response.addHeader(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS, names.toString());
            }
        }
        response.resetBuffer();
        response.setStatus(answers.status(denial));
        response.setContentType(answers.contentType());
        write(answers.body(denial), response);
    }

    /** Removes earlier headers. A denial replaces them: if the store has failed, it reports no quota, even if an earlier rule did. */
    private void removeHeaders(HttpServletRequest request, HttpServletResponse response) {
        Verdict before = charges(request).verdict();
        if (before.decision() == null || response.isCommitted()) {
            return;
        }
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        answers.headers(before, (name, value) -> {
            response.setHeader(name, null);
            names.add(name);
        });
        if (names.stream().anyMatch(response::containsHeader)) {
            resetWithout(names, response);
        }
    }

    /** Before Servlet 6.1, as on Spring Boot 3.5, nothing removes a single header: all go, and the others come back. */
    private static void resetWithout(Set<String> names, HttpServletResponse response) {
        Map<String, List<String>> others = new LinkedHashMap<>();
        for (String name : response.getHeaderNames()) {
            if (!names.contains(name)) {
                others.put(name, List.copyOf(response.getHeaders(name)));
            }
        }
        response.reset();
        others.forEach((name, values) -> values.forEach(value -> response.addHeader(name, value)));
    }

    private static void write(String body, HttpServletResponse response) throws IOException {
        ServletOutputStream out;
        try {
            out = response.getOutputStream();
        } catch (IllegalStateException e) { // the writer is in use already, and its encoding is fixed
            response.setContentLength(body.getBytes(Charset.forName(response.getCharacterEncoding())).length);
            response.getWriter().write(body);
            return;
        }
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        response.setContentLength(bytes.length);
        out.write(bytes);
    }
}
