package io.headgate.spring.servlet;

import io.headgate.http.Answers;
import io.headgate.http.Verdict;
import io.headgate.spring.ChargeReport;
import io.headgate.spring.RequestCharges;
import jakarta.servlet.http.HttpServletResponse;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * Reports what the method calls of a servlet request were charged to, at once: the headers may be sent at any time.
 *
 * <p>Only while the dispatch that made the call lasts may another thread touch the response, since a server uses it again for the next
 * request. Charges that become known after that, or while the request is processed asynchronously, are kept in its {@link RequestCharges} and
 * reported by the dispatch that sends the result.
 */
public final class ServletReports implements ChargeReport.Source {

    private static final AtomicLong NUMBERS = new AtomicLong();

    private final ServletAnswers answers;

    public ServletReports(Answers answers) {
        this.answers = new ServletAnswers(answers);
    }

    @Override
    public @Nullable ChargeReport current(boolean handler) {
        if (!(RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes attributes)) {
            return null;
        }
        HttpServletResponse response = attributes.getResponse();
        try {
            attributes.getAttribute(RequestCharges.ATTRIBUTE, RequestAttributes.SCOPE_REQUEST);
        } catch (IllegalStateException e) { // the thread inherited a request that is over
            return null;
        }
        return response == null ? null : new Report(attributes, response);
    }

    private final class Report implements ChargeReport {

        private final ServletRequestAttributes attributes;
        private final HttpServletResponse response;
        private final RequestCharges charges;
        private boolean dispatched; // guarded by charges

        Report(ServletRequestAttributes attributes, HttpServletResponse response) {
            this.attributes = attributes;
            this.response = response;
            this.charges = ServletAnswers.charges(attributes.getRequest());
            ServletAnswers.keep(charges, attributes.getRequest());
            this.dispatched = !attributes.getRequest().isAsyncStarted();
        }

        @Override
        public void charged(Verdict verdict) {
            synchronized (charges) {
                if (!dispatched) {
                    charges.callUnreported(verdict);
                    return;
                }
                charges.call(verdict);
                if (!response.isCommitted()) {
                    answers.setHeaders(charges.verdict(), response);
                }
            }
        }

        @Override
        public ChargeReport later() {
            attributes.registerDestructionCallback(
                    RequestCharges.ATTRIBUTE + NUMBERS.incrementAndGet(), this::end, RequestAttributes.SCOPE_REQUEST);
            return this;
        }

        private void end() {
            synchronized (charges) {
                dispatched = false;
            }
        }
    }
}
