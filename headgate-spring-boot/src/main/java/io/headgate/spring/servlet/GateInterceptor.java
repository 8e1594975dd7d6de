package io.headgate.spring.servlet;

import io.headgate.http.Answers;
import io.headgate.http.Checkpoint;
import io.headgate.http.Gate;
import io.headgate.http.Verdict;
import io.headgate.spring.Gates;
import io.headgate.spring.HandlerLimits;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.springframework.web.cors.CorsUtils;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Sends every request through the gate right before its handler, together with the handler's own limits.
 *
 * <p>Requests come by several times: after asynchronous work, when forwarded, to have an error shown. A rule charges a request
 * the first time and not again; showing errors is free. CORS preflights are answered by Spring and reach no handler, so they are
 * free too.
 *
 * <p>A forward, or somebody who has rewritten the path behind the filter, leads to a handler past the rules that stand there. Such
 * a request meets them here, first and by themselves: as at the filter they keep what a rule at the handler refuses.
 */
public final class GateInterceptor implements HandlerInterceptor {

    private final Gates gates;
    private final HandlerLimits limits;
    private final ServletAnswers answers;

    public GateInterceptor(Gates gates, HandlerLimits limits, Answers answers) {
        this.gates = gates;
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
        Trail trail = Trail.of(request);
        List<Checkpoint> early = trail.due(gates.filter().match(view), List.of());
        if (!passes(gates.filter(), view, early, trail, request, response)) {
            return false;
        }
        List<Checkpoint> due = trail.due(gates.handler().match(view), limits.of(handler));
        return passes(gates.handler(), view, due, trail, request, response);
    }

    private boolean passes(
            Gate gate,
            ServletView view,
            List<Checkpoint> due,
            Trail trail,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException {
        if (due.isEmpty()) {
            return true;
        }
        Verdict verdict = gate.check(view, due);
        if (verdict.allowed()) {
            answers.pass(due, verdict, trail, request, response);
        } else {
            answers.refuse(verdict, request, response);
        }
        return verdict.allowed();
    }

    /**
     * Whether the request is here to have an error shown; within a container of others Spring Boot forwards it to that end. Clients
     * cannot say so, and after any exception that a handler has dealt with Spring itself says 200.
     */
    private static boolean showsError(HttpServletRequest request) {
        DispatcherType type = request.getDispatcherType();
        return type == DispatcherType.ERROR
                || (type == DispatcherType.FORWARD
                        && request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) instanceof Integer status
                        && status >= HttpServletResponse.SC_BAD_REQUEST);
    }
}
