package io.headgate.spring.servlet;

import io.headgate.http.Answers;
import io.headgate.http.Checkpoint;
import io.headgate.http.Gate;
import io.headgate.http.Listeners;
import io.headgate.http.Rule;
import io.headgate.http.RuleSet;
import io.headgate.http.Verdict;
import io.headgate.spring.Gates;
import io.headgate.spring.HandlerLimits;
import io.headgate.spring.RuleStore;
import io.headgate.spring.RulesAndMore;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.springframework.web.cors.CorsUtils;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Sends every request through the gate right before its handler, together with the handler's own limits.
 *
 * <p>Requests come by several times: after asynchronous work, when forwarded, to have an error shown. A rule charges a request
 * the first time and not again; showing errors is free. CORS preflights are answered by Spring and reach no handler, so they are
 * free too.
 */
public final class GateInterceptor implements HandlerInterceptor {

    private final Gates gates;
    private final RuleStore rules;
    private final HandlerLimits limits;
    private final Listeners listeners;
    private final ServletAnswers answers;

    public GateInterceptor(Gates gates, RuleStore rules, HandlerLimits limits, Listeners listeners, Answers answers) {
        this.gates = gates;
        this.rules = rules;
        this.limits = limits;
        this.listeners = listeners;
        this.answers = new ServletAnswers(answers);
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
            throws IOException {
        if (request.getDispatcherType() == DispatcherType.ERROR || CorsUtils.isPreFlightRequest(request)) {
            return true;
        }
        ServletView view = ServletView.handled(request);
        Charged earlier = Charged.of(request);
        Verdict verdict = earlier == null ? first(view, handler) : again(view, handler, earlier);
        new Charged(view.method(), view.path(), handler, earlier).keep(request);
        return answers.answer(verdict, request, response);
    }

    private Verdict first(ServletView view, Object handler) {
        List<Checkpoint> own = limits.of(handler);
        return own.isEmpty() ? gates.handler().check(view) : check(view, new RulesAndMore(rules.get(), own, Set.of()));
    }

    private Verdict again(ServletView view, Object handler, Charged earlier) {
        RuleSet inForce = rules.get();
        return check(view, new RulesAndMore(inForce, limits.of(handler), earlier.names(inForce, limits)));
    }

    private Verdict check(ServletView view, RuleSet some) {
        return new Gate(() -> some, Rule.Stage.HANDLER, listeners).check(view);
    }
}
