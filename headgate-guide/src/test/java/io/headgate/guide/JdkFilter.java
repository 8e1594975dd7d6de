package io.headgate.guide;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpExchange;
import io.headgate.http.Answers;
import io.headgate.http.Gate;
import io.headgate.http.RequestView;
import io.headgate.http.Rule;
import io.headgate.http.RuleSet;
import io.headgate.http.Verdict;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

// snippet
/** Checks requests to a handler of the JDK's HTTP server. */
final class JdkFilter extends Filter {

    private final Supplier<RuleSet> rules;
    private final Gate gate;
    private final Answers answers;

    JdkFilter(Supplier<RuleSet> rules, Gate gate, Answers answers) {
        this.rules = rules;
        this.gate = gate;
        this.answers = answers;
    }

    @Override
    public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
        RequestView view = new View(exchange);
        Verdict verdict = gate.check(view, rules.get().match(Rule.Stage.HANDLER, view));
        answers.headers(verdict, exchange.getResponseHeaders()::set);
        if (verdict.allowed()) {
            chain.doFilter(exchange);
            return;
        }
        byte[] body = answers.body(verdict).getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", answers.contentType());
        exchange.sendResponseHeaders(answers.status(verdict), body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Override
    public String description() {
        return "rate limits";
    }

    private record View(HttpExchange exchange) implements RequestView {

        @Override
        public String method() {
            return exchange.getRequestMethod();
        }

        @Override
        public String path() {
            return exchange.getRequestURI().getPath();
        }

        @Override
        public List<String> headers(String name) {
            return exchange.getRequestHeaders().getOrDefault(name, List.of());
        }

        @Override
        public String peerAddress() {
            return exchange.getRemoteAddress().getAddress().getHostAddress();
        }

        @Override
        public @Nullable String principal() {
            return exchange.getPrincipal() == null
                    ? null
                    : exchange.getPrincipal().getUsername();
        }

        @Override
        public String route() {
            return exchange.getHttpContext().getPath();
        }
    }
}
// end
