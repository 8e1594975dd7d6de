package io.headgate.spring.method;

import io.headgate.http.Verdict;
import io.headgate.spring.EventLoop;
import java.util.concurrent.CompletableFuture;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.ContextView;

/**
 * Calls that return a {@code Mono} or {@code Flux}: made, and charged, each time somebody subscribes.
 *
 * <p>What had to be waited for is told on the event loop of the request, if the call is made on one: on the thread that reads the answers
 * of a store, whoever waits for the store waits for himself, and on any other an answer could be out while the server still hands
 * the request over, which Reactor Netty does not survive, nor some answers within the hand-over and others after it. So once a verdict had
 * to be waited for, none is told at once.
 */
final class ReactiveCalls {

    private volatile boolean waits;

    static boolean returns(Class<?> type) {
        return type == Mono.class || type == Flux.class;
    }

    Publisher<?> limited(LimitedCalls.Call call, Class<?> type) {
        return type == Mono.class
                ? verdict(call).flatMap(verdict -> Mono.from(made(call, verdict)))
                : verdict(call).flatMapMany(verdict -> made(call, verdict));
    }

    private Mono<Verdict> verdict(LimitedCalls.Call call) {
        return Mono.deferContextual(context -> {
            CompletableFuture<Verdict> verdict = call.limited().checkAsync(call.view());
            if (!waits && !verdict.isDone()) {
                waits = true;
            }
            Mono<Verdict> told = Mono.fromFuture(verdict, true);
            return waits ? told.publishOn(next(context)) : told;
        });
    }

    /** A thread of the kind that somebody has subscribed on: who did so where threads may be held may mean to hold one. */
    private static Scheduler next(ContextView request) {
        if (!Schedulers.isInNonBlockingThread()) {
            return Schedulers.boundedElastic();
        }
        Scheduler loop = request.getOrDefault(EventLoop.KEY, null);
        return loop == null ? Schedulers.parallel() : loop;
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
