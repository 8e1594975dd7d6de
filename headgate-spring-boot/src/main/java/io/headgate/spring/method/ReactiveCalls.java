package io.headgate.spring.method;

import io.headgate.http.Verdict;
import java.util.concurrent.CompletableFuture;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Calls that return a {@code Mono} or {@code Flux}: made, and charged, each time somebody subscribes. */
final class ReactiveCalls {

    private ReactiveCalls() {}

    static boolean returns(Class<?> type) {
        return type == Mono.class || type == Flux.class;
    }

    static Publisher<?> limited(LimitedCalls.Call call, Class<?> type) {
        return type == Mono.class
                ? verdict(call).flatMap(verdict -> Mono.from(made(call, verdict)))
                : verdict(call).flatMapMany(verdict -> made(call, verdict));
    }

    /** Told on a thread that the call may be made on, which is not one that reads the answers of a store. */
    private static Mono<Verdict> verdict(LimitedCalls.Call call) {
        return Mono.defer(() -> {
            CompletableFuture<Verdict> verdict = call.limited().checkAsync(call.view());
            Mono<Verdict> told = Mono.fromFuture(verdict, true);
            return verdict.isDone() ? told : told.publishOn(Schedulers.parallel());
        });
    }

    private static Publisher<?> made(LimitedCalls.Call call, Verdict verdict) {
        try {
            @Nullable Object made = verdict.allowed() ? copy(call.invocation()).proceed() : call.refused(verdict);
            return made instanceof Publisher<?> publisher ? publisher : Mono.empty();
        } catch (Throwable e) {
            return Mono.error(e);
        }
    }

    /** An invocation can proceed only once, and subscribers may be many. */
    private static MethodInvocation copy(MethodInvocation invocation) {
        return invocation instanceof ProxyMethodInvocation proxy ? proxy.invocableClone() : invocation;
    }
}
