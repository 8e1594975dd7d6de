package io.headgate.spring.servlet;

import io.headgate.http.Answers;
import io.headgate.http.Verdict;
import io.headgate.spring.Gates;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.cors.CorsUtils;
import org.springframework.web.filter.OncePerRequestFilter;

/** Sends requests through the gate before anybody has looked at them: for what never reaches a handler, such as logins. */
public final class GateFilter extends OncePerRequestFilter {

    private final Gates gates;
    private final ServletAnswers answers;
    private final CorsOfHandlers cors;

    public GateFilter(Gates gates, Answers answers, CorsOfHandlers cors) {
        this.gates = gates;
        this.answers = new ServletAnswers(answers);
        this.cors = cors;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return gates.filter().idle();
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        ServletView view = ServletView.arriving(request);
        if (view == null) {
            response.sendError(HttpServletResponse.SC_BAD_REQUEST);
            return;
        }
        Verdict verdict = CorsUtils.isPreFlightRequest(request)
                ? Verdict.PASS
                : gates.filter().check(view);
        if (!verdict.allowed() && !cors.allow(request, response)) {
            return;
        }
        if (answers.answer(verdict, request, response)) {
            chain.doFilter(request, response);
        }
    }
}
