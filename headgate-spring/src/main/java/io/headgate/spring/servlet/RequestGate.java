package io.headgate.spring.servlet;

import io.headgate.http.Answers;
import io.headgate.http.BoundRule;
import io.headgate.http.Gate;
import io.headgate.http.RequestView;
import io.headgate.http.Verdict;
import io.headgate.spring.RequestCharges;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks servlet requests at bound rules, sets the headers, and answers denials. For code that limits requests at a place of its own. */
public final class RequestGate {

    private final Gate gate;
    private final Answers answers;
    private final ServletAnswers written;

    public RequestGate(Gate gate, Answers answers) {
        this.gate = gate;
        this.answers = answers;
        this.written = new ServletAnswers(answers);
    }

    /**
     * Checks a request at those of the bound rules that it has not passed yet. A request that passes gets its headers at once; the
     * caller answers a denial by {@link #deny}.
     *
     * @param view the request as the rules are to see it
     * @param response {@code null} if it is not at hand; the headers are then left to whoever checks the request next
     * @return the denial; {@code null} if the request may go ahead
     */
    public @Nullable Verdict check(
            RequestView view,
            List<BoundRule> rules,
            HttpServletRequest request,
            @Nullable HttpServletResponse response) {
        RequestCharges charges = ServletAnswers.charges(request);
        return check(view, charges.due(rules, List.of()), charges, request, response);
    }

    @Nullable
    Verdict check(
            RequestView view,
            List<BoundRule> due,
            RequestCharges charges,
            HttpServletRequest request,
            @Nullable HttpServletResponse response) {
        if (due.isEmpty()) {
            return null;
        }
        Verdict verdict = gate.check(view, due);
        if (!verdict.allowed()) {
            return verdict;
        }
        written.pass(due, verdict, charges, request, response);
        return null;
    }

    /** The status of a denial. */
    public int status(Verdict denial) {
        return answers.status(denial);
    }

    /** Answers a request that was denied. */
    public void deny(Verdict denial, HttpServletRequest request, HttpServletResponse response) throws IOException {
        written.deny(denial, request, response);
    }
}
