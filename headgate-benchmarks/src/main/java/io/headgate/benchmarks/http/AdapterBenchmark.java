package io.headgate.benchmarks.http;

import io.headgate.TimeSource;
import io.headgate.http.Gate;
import io.headgate.http.RuleSet;
import io.headgate.http.response.StandardAnswers;
import io.headgate.spring.servlet.GateInterceptor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.tomcat.util.http.MimeHeaders;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.springframework.http.server.RequestPath;
import org.springframework.web.util.ServletRequestPathUtils;

/**
 * Measures what the interceptor adds to a Spring MVC request with the in-process store: the gate, and everything that it reads
 * from Tomcat's request and writes to its response. The measured time includes resetting both for the next request.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class AdapterBenchmark {

    /** A request that one rule matches, with all response headers; it is always allowed. */
    @Benchmark
    public boolean oneRule(Limited limited) throws IOException {
        return limited.exchange.intercepted(limited.interceptor);
    }

    /** A request that no rule matches. */
    @Benchmark
    public boolean noRule(Free free) throws IOException {
        return free.exchange.intercepted(free.interceptor);
    }

    /** An interceptor and a request that it limits. */
    @State(Scope.Thread)
    public static class Limited {
        final GateInterceptor interceptor = interceptor();
        final Exchange exchange = new Exchange(interceptor, "/api/orders/17");
    }

    /** An interceptor and a request that it lets pass. */
    @State(Scope.Thread)
    public static class Free {
        final GateInterceptor interceptor = interceptor();
        final Exchange exchange = new Exchange(interceptor, "/static/logo.png");
    }

    private static GateInterceptor interceptor() {
        RuleSet rules = GateBenchmark.handful();
        return new GateInterceptor(
                () -> rules, new Gate(), method -> List.of(), new StandardAnswers(TimeSource.system()));
    }

    /** A request and its uncommitted response, as Tomcat creates them. */
    private static final class Exchange {

        private final Request request;
        private final Response response;
        private final MimeHeaders headers;
        private final List<String> left;

        Exchange(GateInterceptor interceptor, String path) {
            Connector connector = new Connector();
            org.apache.coyote.Request arrived = new org.apache.coyote.Request();
            org.apache.coyote.Response answer = new org.apache.coyote.Response();
            arrived.setMethod("GET");
            arrived.requestURI().setString(path);
            arrived.remoteAddr().setString("203.0.113.7");
            arrived.setResponse(answer);
            headers = answer.getMimeHeaders();
            request = connector.createRequest(arrived);
            response = connector.createResponse(answer);
            request.setResponse(response);
            response.setRequest(request);
            request.setAttribute(ServletRequestPathUtils.PATH_ATTRIBUTE, RequestPath.parse(path, ""));
            try {
                left = traces(interceptor);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            again();
        }

        /** The names of the attributes that the interceptor sets on the request. */
        private List<String> traces(GateInterceptor interceptor) throws IOException {
            List<String> before = Collections.list(request.getAttributeNames());
            interceptor.preHandle(request.getRequest(), response.getResponse(), this);
            List<String> names = Collections.list(request.getAttributeNames());
            names.removeAll(before);
            return names;
        }

        boolean intercepted(GateInterceptor interceptor) throws IOException {
            if (!interceptor.preHandle(request.getRequest(), response.getResponse(), this)) {
                throw new AssertionError("denied");
            }
            return again();
        }

        /** Resets the request and the response for the next run. */
        boolean again() {
            for (String name : left) {
                request.removeAttribute(name);
            }
            headers.recycle();
            return true;
        }
    }
}
