package io.headgate.spring.method;

import io.headgate.http.Verdict;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

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

    private static Mono<Verdict> verdict(LimitedCalls.Call call) {
        return Mono.fromFuture(() -> call.limited().gate().checkAsync(call.view()), true);
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
