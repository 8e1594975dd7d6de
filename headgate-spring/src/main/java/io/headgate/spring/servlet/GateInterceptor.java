package io.headgate.spring.servlet;

import io.headgate.http.Answers;
import io.headgate.http.BoundRule;
import io.headgate.http.Gate;
import io.headgate.http.Rule;
import io.headgate.http.RuleSet;
import io.headgate.http.Verdict;
import io.headgate.spring.HandlerLimits;
import io.headgate.spring.RequestCharges;
import io.headgate.spring.RuleStore;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.springframework.web.cors.CorsUtils;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Checks every request right before its handler, together with the handler's own limits.
 *
 * <p>A request may be dispatched several times: after asynchronous work, on a forward, and to render an error. A rule charges it
 * the first time only; rendering errors is free. CORS preflights are answered by Spring and reach no handler, so they are free too.
 *
 * <p>A forward, or code behind the filter that rewrites the path, can lead to a handler whose path has filter rules that the request
 * has not passed. Such a request is checked by those rules here, first and separately: as at the filter, they keep their charge if a
 * handler rule then denies the request.
 */
public final class GateInterceptor implements HandlerInterceptor {

    private final RuleStore rules;
    private final RequestGate gate;
    private final HandlerLimits limits;
    private final ServletAnswers answers;

    public GateInterceptor(RuleStore rules, Gate gate, HandlerLimits limits, Answers answers) {
        this.rules = rules;
        this.gate = new RequestGate(gate, answers);
        this.limits = limits;
        this.answers = new ServletAnswers(answers);
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
            throws IOException {
        if (showsError(request) || CorsUtils.isPreFlightRequest(request)) {
            return true;
        }
        ServletView view = ServletView.handled(request);
        RequestCharges charges = ServletAnswers.charges(request);
        if (charges.takeUnreported()) {
            answers.setHeaders(charges.verdict(), response);
        }
        RuleSet current = rules.get();
        List<BoundRule> missed = charges.due(current.match(Rule.Stage.FILTER, view), List.of());
        if (!passes(view, missed, charges, request, response)) {
            return false;
        }
        List<BoundRule> due = charges.due(current.match(Rule.Stage.HANDLER, view), limits.of(handler));
        return passes(view, due, charges, request, response);
    }

    private boolean passes(
            ServletView view,
            List<BoundRule> due,
            RequestCharges charges,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException {
        Verdict denial = gate.check(view, due, charges, request, response);
        if (denial != null) {
            gate.deny(denial, request, response);
        }
        return denial == null;
    }

    /**
     * Whether the request is dispatched to render an error; in an external servlet container, Spring Boot uses a forward for that.
     * Clients cannot set the status attribute, and Spring itself sets it to 200 after any exception that a handler has dealt with.
     */
    private static boolean showsError(HttpServletRequest request) {
        DispatcherType type = request.getDispatcherType();
        return type == DispatcherType.ERROR
                || (type == DispatcherType.FORWARD
                        && request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) instanceof Integer status
                        && status >= HttpServletResponse.SC_BAD_REQUEST);
    }
}
