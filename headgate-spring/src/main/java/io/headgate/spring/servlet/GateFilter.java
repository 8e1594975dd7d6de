package io.headgate.spring.servlet;

import io.headgate.http.Answers;
import io.headgate.http.BoundRule;
import io.headgate.http.Gate;
import io.headgate.http.Rule;
import io.headgate.http.Verdict;
import io.headgate.spring.PreflightCredentials;
import io.headgate.spring.RuleStore;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.springframework.web.cors.CorsUtils;
import org.springframework.web.filter.OncePerRequestFilter;

/** Checks requests before any other code sees them: for requests that never reach a handler, such as logins. */
public final class GateFilter implements Filter {

    private final RuleStore rules;
    private final Gate gate;
    private final ServletAnswers answers;
    private final DenialCorsHeaders cors;
    private final OtherServlets others = new OtherServlets();
    private final Filter once = new OncePerRequestFilter() {
        @Override
        protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws ServletException, IOException {
            check(request, response, chain);
        }
    };

    public GateFilter(RuleStore rules, Gate gate, Answers answers, DenialCorsHeaders cors) {
        this.rules = rules;
        this.gate = gate;
        this.answers = new ServletAnswers(answers);
        this.cors = cors;
    }

    /** Passes the filter name on: it marks requests that have passed this filter, as opposed to another {@code GateFilter}. */
    @Override
    public void init(FilterConfig config) throws ServletException {
        once.init(config);
    }

    /** Skips the bookkeeping of {@code OncePerRequestFilter} if no rule has {@code stage: filter}, as in most applications. */
    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (rules.get().isEmpty(Rule.Stage.FILTER)) {
            chain.doFilter(request, response);
        } else {
            once.doFilter(request, response, chain);
        }
    }

    private void check(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        ServletView view = ServletView.arriving(request, others);
        if (view == null) {
            response.sendError(HttpServletResponse.SC_BAD_REQUEST);
            return;
        }
        List<BoundRule> due =
                springAnswersPreflight(request) ? List.of() : rules.get().match(Rule.Stage.FILTER, view);
        if (due.isEmpty()) {
            chain.doFilter(request, response);
            return;
        }
        Verdict verdict = gate.check(view, due);
        if (verdict.allowed()) {
            answers.pass(due, verdict, ServletAnswers.charges(request), request, response);
            chain.doFilter(request, response);
        } else if (cors.addTo(request, response)) {
            answers.deny(verdict, request, response);
        }
    }

    /** Whether the request is a CORS preflight that Spring answers; another servlet takes one for a request like any other. */
    private boolean springAnswersPreflight(HttpServletRequest request) {
        return CorsUtils.isPreFlightRequest(request)
                && !PreflightCredentials.in(name -> request.getHeader(name) != null)
                && (!others.serve(request) || cors.answersPreflight(request));
    }
}
