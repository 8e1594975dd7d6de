package io.headgate.benchmarks.http;

import io.headgate.Headgate;
import io.headgate.http.client.OutgoingClient;
import io.headgate.http.client.OutgoingLimits;
import io.headgate.spring.client.OutgoingRequestInterceptor;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpRequest;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpResponse;

/**
 * Measures what the interceptor adds to a request of a {@code RestClient} that is sent at once, with the in-process store. The rest of
 * the way to the server and back takes no time.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class OutgoingBenchmark {

    /** Limits with a wait, and a server that says nothing about its own. */
    @Benchmark
    public ClientHttpResponse limited(Exchange exchange) throws IOException {
        return exchange.limited();
    }

    /** No limits but what the server says, and it says that there is plenty. */
    @Benchmark
    public ClientHttpResponse told(Exchange exchange) throws IOException {
        return exchange.told();
    }

    /** A host that no client names. */
    @Benchmark
    public ClientHttpResponse other(Exchange exchange) throws IOException {
        return exchange.other();
    }

    /** An interceptor, requests and answers. */
    @State(Scope.Thread)
    public static class Exchange {

        private static final byte[] NO_BODY = {};

        private final OutgoingRequestInterceptor interceptor = new OutgoingRequestInterceptor(OutgoingLimits.of(
                Headgate.builder().build(),
                OutgoingClient.named("limited")
                        .hosts("limited.example.com")
                        .limits("2000000000/s")
                        .maxWait(Duration.ofSeconds(2)),
                OutgoingClient.named("told").hosts("told.example.com")));
        private final Request toLimited = new Request("https://limited.example.com/orders/17");
        private final Request toTold = new Request("https://told.example.com/orders/17");
        private final Request toOther = new Request("https://www.example.org/orders/17");
        private final ClientHttpRequestExecution silent = answering(Map.of());
        private final ClientHttpRequestExecution telling = answering(
                Map.of("RateLimit-Policy", "\"api\";q=1000000000;w=3600", "RateLimit", "\"api\";r=1000000000;t=3600"));

        private static ClientHttpRequestExecution answering(Map<String, String> more) {
            HttpHeaders headers = new HttpHeaders();
            headers.set("Date", "Mon, 02 Mar 2026 09:41:27 GMT");
            headers.set("Content-Type", "application/json");
            headers.set("Content-Length", "17");
            more.forEach(headers::set);
            ClientHttpResponse response = new Response(headers);
            return (request, body) -> response;
        }

        ClientHttpResponse limited() throws IOException {
            return interceptor.intercept(toLimited, NO_BODY, silent);
        }

        ClientHttpResponse told() throws IOException {
            return interceptor.intercept(toTold, NO_BODY, telling);
        }

        ClientHttpResponse other() throws IOException {
            return interceptor.intercept(toOther, NO_BODY, silent);
        }
    }

    private static final class Request implements HttpRequest {

        private final URI uri;
        private final HttpHeaders headers = new HttpHeaders();
        private final Map<String, Object> attributes = new HashMap<>();

        Request(String uri) {
            this.uri = URI.create(uri);
        }

        @Override
        public HttpMethod getMethod() {
            return HttpMethod.GET;
        }

        @Override
        public URI getURI() {
            return uri;
        }

        @Override
        public Map<String, Object> getAttributes() {
            return attributes;
        }

        @Override
        public HttpHeaders getHeaders() {
            return headers;
        }
    }

    private record Response(HttpHeaders headers) implements ClientHttpResponse {

        @Override
        public HttpStatusCode getStatusCode() {
            return HttpStatus.OK;
        }

        @Override
        public String getStatusText() {
            return "OK";
        }

        @Override
        public HttpHeaders getHeaders() {
            return headers;
        }

        @Override
        public InputStream getBody() {
            return InputStream.nullInputStream();
        }

        @Override
        public void close() {}
    }
}
