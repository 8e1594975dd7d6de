package io.headgate.spring.servlet;

import io.headgate.http.Answers;
import io.headgate.http.Checkpoint;
import io.headgate.http.Verdict;
import io.headgate.spring.Gates;
import io.headgate.spring.HandlerLimits;
import io.headgate.spring.Progress;
import jakarta.servlet.DispatcherType;
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
 * the first time and not again, one at the filter too, which such a request has not passed; showing errors is free. CORS preflights are answered by Spring and reach no handler, so they are
 * free too.
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
        if (request.getDispatcherType() == DispatcherType.ERROR || CorsUtils.isPreFlightRequest(request)) {
            return true;
        }
        ServletView view = ServletView.handled(request);
        Progress before = Progress.of(request.getAttribute(Progress.ATTRIBUTE));
        List<Checkpoint> due = before.due(gates.match(view), limits.of(handler));
        if (due.isEmpty()) {
            return true;
        }
        Verdict verdict = gates.handler().check(view, due);
        if (!verdict.allowed()) {
            answers.refuse(verdict, request, response);
            return false;
        }
        Progress now = before.and(due, verdict);
        request.setAttribute(Progress.ATTRIBUTE, now);
        if (verdict.decision() != null) {
            answers.tell(now.told(), response);
        }
        return true;
    }
}
