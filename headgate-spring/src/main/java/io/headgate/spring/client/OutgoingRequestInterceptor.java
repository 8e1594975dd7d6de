package io.headgate.spring.client;

import io.headgate.http.client.OutgoingLimiter;
import io.headgate.http.client.OutgoingLimits;
import io.headgate.http.client.OutgoingPermit;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/** Limits what a {@code RestClient} or a {@code RestTemplate} sends; waits on the calling thread. */
public final class OutgoingRequestInterceptor implements ClientHttpRequestInterceptor {

    private final Supplier<OutgoingLimits> limits;

    public OutgoingRequestInterceptor(OutgoingLimits limits) {
        this(() -> limits);
    }

    /** @param limits asked at every request */
    public OutgoingRequestInterceptor(Supplier<OutgoingLimits> limits) {
        this.limits = limits;
    }

    @Override
    public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
            throws IOException {
        String host = OutgoingLimits.host(request.getURI());
        OutgoingLimiter limiter = limits.get().limiter(host);
        if (limiter == null) {
            return execution.execute(request, body);
        }
        OutgoingPermit permit = permit(limiter, host);
        try {
            ClientHttpResponse response = execution.execute(request, body);
            HttpHeaders headers = response.getHeaders();
            permit.answered(response.getStatusCode().value(), name -> header(headers, name));
            return response;
        } finally {
            permit.failed(); // unless there was an answer
        }
    }

    private static OutgoingPermit permit(OutgoingLimiter limiter, String host) throws IOException {
        try {
            return limiter.acquire(host);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted = new InterruptedIOException(
                    "interrupted while waiting for a permit of client '" + limiter.name() + "'");
            interrupted.initCause(e);
            throw interrupted;
        }
    }

    /**
     * The value of a header; of the one that is a list, all values. The methods that return all of a name differ between Spring Framework
     * 6.2 and 7.
     */
    private static @Nullable String header(HttpHeaders headers, String name) {
        String first = headers.getFirst(name);
        if (first == null || !name.equals("RateLimit")) {
            return first;
        }
        List<String> all = new ArrayList<>(1);
        headers.forEach((each, values) -> {
            if (each.equalsIgnoreCase(name)) {
                all.addAll(values);
            }
        });
        return String.join(", ", all);
    }
}
