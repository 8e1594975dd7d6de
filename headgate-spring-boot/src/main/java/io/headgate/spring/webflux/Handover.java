package io.headgate.spring.webflux;

import io.headgate.http.Checkpoint;
import io.headgate.http.Gate;
import io.headgate.http.Verdict;
import java.security.Principal;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Brings verdicts to where exchanges go on.
 *
 * <p>What had to be waited for is told on the event loop of the connection: on the thread that reads the answers of a store, whoever waits
 * for the store waits for himself. On any other an answer could be out while the server still hands the request over, after
 * which Reactor Netty 1.3.7 never reads from the connection again (reactor-netty issue 4361). Nor does it when some of the answers on a
 * connection come within the hand-over and others after it. So once a verdict had to be waited for, none is told within it, not even one
 * that happens to be there at once. With a store in process, and plans and users that are known at once, nothing is waited for.
 */
final class Handover {

    private volatile boolean waits;

    Mono<Verdict> through(Gate gate, ExchangeView view, List<Checkpoint> due) {
        return told(gate.checkAsync(view, due), view.exchange());
    }

    /** The same once it is known who the user is: perhaps a session has to be loaded. */
    Mono<Verdict> withUser(Gate gate, ExchangeView view, List<Checkpoint> due) {
        ServerWebExchange exchange = view.exchange();
        return Mono.deferContextual(context -> {
            CompletableFuture<@Nullable Principal> user =
                    Users.of(exchange).contextWrite(context).toFuture();
            CompletableFuture<Verdict> verdict = user.handle((known, failure) -> view.by(user))
                    .thenCompose(somebodys -> gate.checkAsync(somebodys, due));
            return told(verdict, exchange);
        });
    }

    private Mono<Verdict> told(CompletableFuture<Verdict> verdict, ServerWebExchange exchange) {
        if (!waits && !verdict.isDone()) {
            waits = true;
        }
        Mono<Verdict> told = Mono.fromFuture(verdict, true);
        return waits ? told.publishOn(ExchangeView.loop(exchange)) : told;
    }
}
