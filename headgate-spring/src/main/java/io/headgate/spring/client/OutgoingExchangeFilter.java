package io.headgate.spring.client;

import io.headgate.http.client.OutgoingLimiter;
import io.headgate.http.client.OutgoingLimits;
import io.headgate.http.client.OutgoingPermit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Limits what a {@code WebClient} sends. Blocks no thread; each subscription is a request. After a wait it continues on a thread of
 * Reactor's: on the one that reads the replies of a store, code that waits for the store would wait for itself.
 */
public final class OutgoingExchangeFilter implements ExchangeFilterFunction {

    private final Supplier<OutgoingLimits> limits;

    public OutgoingExchangeFilter(OutgoingLimits limits) {
        this(() -> limits);
    }

    /** @param limits asked at every request */
    public OutgoingExchangeFilter(Supplier<OutgoingLimits> limits) {
        this.limits = limits;
    }

    @Override
    public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
        String host = OutgoingLimits.host(request.url());
        OutgoingLimiter limiter = limits.get().limiter(host);
        return limiter == null ? next.exchange(request) : Mono.defer(() -> limited(limiter, host, request, next));
    }

    private static Mono<ClientResponse> limited(
            OutgoingLimiter limiter, String host, ClientRequest request, ExchangeFunction next) {
        CompletableFuture<OutgoingPermit> waiting = limiter.acquireAsync(host);
        AtomicBoolean decided = new AtomicBoolean(); // whether the request is sent, or is not
        Mono<OutgoingPermit> permits = Mono.fromFuture(waiting);
        return (waiting.isDone() ? permits : permits.publishOn(Schedulers.parallel()))
                .flatMap(permit -> decided.compareAndSet(false, true) ? sent(permit, request, next) : Mono.empty())
                .doOnCancel(() -> {
                    if (decided.compareAndSet(
                            false, true)) { // the future will be cancelled, unless it has just been completed
                        waiting.thenAccept(OutgoingPermit::giveBack);
                    }
                });
    }

    private static Mono<ClientResponse> sent(OutgoingPermit permit, ClientRequest request, ExchangeFunction next) {
        return next.exchange(request)
                .doOnNext(response ->
                        permit.answered(response.statusCode().value(), name -> header(response.headers(), name)))
                .doFinally(signal -> permit.failed()); // unless there was an answer
    }

    private static @Nullable String header(ClientResponse.Headers headers, String name) {
        List<String> values = headers.header(name);
        return values.isEmpty() ? null : values.size() == 1 ? values.get(0) : String.join(", ", values);
    }
}
