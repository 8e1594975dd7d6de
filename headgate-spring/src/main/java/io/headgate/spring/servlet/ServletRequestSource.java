package io.headgate.spring.servlet;

import io.headgate.http.Answers;
import io.headgate.http.RequestView;
import io.headgate.http.Verdict;
import io.headgate.spring.CurrentRequest;
import io.headgate.spring.RequestCharges;
import jakarta.servlet.http.HttpServletResponse;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * Finds the servlet request that Spring handles on the current thread, and reports what its method calls were charged to, at once: the
 * headers may be sent at any time.
 *
 * <p>Only while the dispatch that made the call lasts may another thread touch the response, since a server uses it again for the next
 * request. Charges that become known after that, or while the request is processed asynchronously, are kept in its
 * {@link RequestCharges} and reported by the dispatch that sends the result.
 */
public final class ServletRequestSource implements CurrentRequest.Source {

    private static final AtomicLong NUMBERS = new AtomicLong();

    private final ServletAnswers answers;

    public ServletRequestSource(Answers answers) {
        this.answers = new ServletAnswers(answers);
    }

    @Override
    public boolean readsRequests() {
        return true;
    }

    @Override
    public @Nullable CurrentRequest find(boolean handler) {
        if (!(RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes attributes)) {
            return null;
        }
        try {
            attributes.getAttribute(RequestCharges.ATTRIBUTE, RequestAttributes.SCOPE_REQUEST);
        } catch (IllegalStateException e) { // the thread inherited a request that is over
            return null;
        }
        HttpServletResponse response = attributes.getResponse();
        return response == null
                ? new Unreported(attributes)
                : new Reported(attributes, response, !attributes.getRequest().isAsyncStarted());
    }

    /** A request without a response. */
    private record Unreported(ServletRequestAttributes attributes) implements CurrentRequest {

        @Override
        public RequestView view() {
            return ServletView.called(attributes.getRequest());
        }

        @Override
        public void charged(Verdict verdict) {}
    }

    private final class Reported implements CurrentRequest {

        private final ServletRequestAttributes attributes;
        private final HttpServletResponse response;
        private @Nullable RequestCharges charges;
        private boolean dispatched; // guarded by charges

        Reported(ServletRequestAttributes attributes, HttpServletResponse response, boolean dispatched) {
            this.attributes = attributes;
            this.response = response;
            this.dispatched = dispatched;
        }

        @Override
        public RequestView view() {
            return ServletView.called(attributes.getRequest());
        }

        /** The charges of the request, which become an attribute of it. Called first by the thread that works on the request. */
        private RequestCharges charges() {
            RequestCharges known = charges;
            if (known == null) {
                known = ServletAnswers.charges(attributes.getRequest());
                ServletAnswers.keep(known, attributes.getRequest());
                charges = known;
            }
            return known;
        }

        @Override
        public void charged(Verdict verdict) {
            RequestCharges all = charges();
            synchronized (all) {
                if (!dispatched) {
                    all.callUnreported(verdict);
                    return;
                }
                all.call(verdict);
                if (!response.isCommitted()) {
                    answers.setHeaders(all.verdict(), response);
                }
            }
        }

        @Override
        public CurrentRequest later() {
            RequestCharges all = charges();
            attributes.registerDestructionCallback(
                    RequestCharges.ATTRIBUTE + NUMBERS.incrementAndGet(),
                    () -> {
                        synchronized (all) {
                            dispatched = false;
                        }
                    },
                    RequestAttributes.SCOPE_REQUEST);
            return this;
        }
    }
}
