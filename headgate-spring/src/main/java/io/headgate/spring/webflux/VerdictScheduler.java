package io.headgate.spring.webflux;

import io.headgate.http.BoundRule;
import io.headgate.http.Gate;
import io.headgate.http.RequestView;
import io.headgate.http.Verdict;
import io.headgate.spring.EventLoop;
import java.security.Principal;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Delivers verdicts on the thread where the exchange continues.
 *
 * <p>A verdict that had to be waited for is delivered on the event loop of the connection. On the thread that reads the replies of a
 * store, code that waits for the store would wait for itself. On any other thread, the response could be sent while the server is still
 * handing the request over, after which Reactor Netty 1.3.7 never reads from the connection again (reactor-netty issue 4361). The same
 * happens if some responses on a connection are sent within the hand-over and others after it. So once a verdict had to be waited for,
 * no verdict is delivered within the hand-over, not even one that is available at once. With an in-process store, and plans and users
 * that are known at once, nothing is waited for.
 */
final class VerdictScheduler {

    private final Gate gate;
    private volatile boolean waits;

    VerdictScheduler(Gate gate) {
        this.gate = gate;
    }

    Mono<Verdict> check(ExchangeView view, List<BoundRule> due) {
        return deliver(gate.checkAsync(view, due), () -> ExchangeView.loop(view.exchange()));
    }

    /** As {@link #check}, where the exchange is not at hand: its event loop is the one in the context. */
    Mono<Verdict> checkView(RequestView view, List<BoundRule> due) {
        return Mono.deferContextual(context ->
                deliver(gate.checkAsync(view, due), () -> context.getOrDefault(EventLoop.KEY, Schedulers.parallel())));
    }

    /** As {@link #check}, after the user has been looked up, for which a session may have to be loaded. */
    Mono<Verdict> checkWithUser(ExchangeView view, List<BoundRule> due) {
        ServerWebExchange exchange = view.exchange();
        return Mono.deferContextual(context -> {
            CompletableFuture<@Nullable Principal> user =
                    ReactivePrincipal.of(exchange).contextWrite(context).toFuture();
            CompletableFuture<Verdict> verdict = user.handle((known, failure) -> view.by(user))
                    .thenCompose(withUser -> gate.checkAsync(withUser, due));
            return deliver(verdict, () -> ExchangeView.loop(exchange));
        });
    }

    private Mono<Verdict> deliver(CompletableFuture<Verdict> verdict, Supplier<Scheduler> loop) {
        if (!waits && !verdict.isDone()) {
            waits = true;
        }
        Mono<Verdict> delivered = Mono.fromFuture(verdict, true);
        return waits ? delivered.publishOn(loop.get()) : delivered;
    }
}
