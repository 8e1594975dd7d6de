package io.headgate.spring.method;

import io.headgate.http.RequestView;
import io.headgate.http.Verdict;
import io.headgate.spring.CurrentRequest;
import io.headgate.spring.EventLoop;
import java.lang.reflect.Method;
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
 * Limits calls that return a {@code Mono} or {@code Flux}, and those of Kotlin functions that suspend or return a flow. The call is
 * charged and made on each subscription.
 *
 * <p>A verdict that had to be waited for is published on the event loop of the request if the subscriber is on a non-blocking thread.
 * On the thread that reads the replies of a store, code that waits for the store would wait for itself. On any other thread, a response
 * could be complete while the server is still dispatching the request, which Reactor Netty cannot handle; nor can it handle some
 * responses during the dispatch and others after it. So once a verdict had to be waited for, none is published immediately any more.
 */
final class ReactiveCalls {

    private volatile boolean waits;

    /** Whether calls of the method are limited here. */
    static boolean applies(Method method) {
        Class<?> type = method.getReturnType();
        return type == Mono.class || type == Flux.class || isFlow(type) || isSuspending(method);
    }

    private static boolean isFlow(Class<?> type) {
        return SuspendFunctions.ADAPTED && CoroutineCalls.isFlow(type);
    }

    /** Whether the proxy turns the result of the method into a {@code Mono}, or into a {@code Flux} if it is a flow. */
    private static boolean isSuspending(Method method) {
        return SuspendFunctions.ADAPTED && SuspendFunctions.is(method);
    }

    Object limited(LimitedCalls.Call call, Method method) {
        if (isFlow(method.getReturnType())) {
            return CoroutineCalls.limited(verdict(call), verdict -> made(call, verdict));
        }
        boolean many = isSuspending(method)
                ? isFlow(SuspendFunctions.returnType(method))
                : method.getReturnType() == Flux.class;
        return many
                ? verdict(call).flatMapMany(verdict -> publisher(call, verdict))
                : verdict(call).flatMap(verdict -> Mono.from(publisher(call, verdict)));
    }

    private Mono<Verdict> verdict(LimitedCalls.Call call) {
        return Mono.deferContextual(context -> {
            CurrentRequest known = context.getOrDefault(CurrentRequest.KEY, null);
            CurrentRequest current = known != null ? known : call.limited().currentRequest();
            CompletableFuture<Verdict> verdict = call.limited().checkAsync(view(call, current), current);
            if (!waits && !verdict.isDone()) {
                waits = true;
            }
            Mono<Verdict> published = Mono.fromFuture(verdict, true);
            return waits ? published.publishOn(next(context)) : published;
        });
    }

    /** The call with the request, unless the thread that made the call knew it. */
    private static InvocationView view(LimitedCalls.Call call, @Nullable CurrentRequest current) {
        RequestView request = call.view().request() == null ? call.limited().read(current) : null;
        return request == null ? call.view() : call.view().with(request);
    }

    /** A scheduler of the same kind as the subscribing thread: a subscriber on a thread that may block may expect to block later, too. */
    private static Scheduler next(ContextView request) {
        if (!Schedulers.isInNonBlockingThread()) {
            return Schedulers.boundedElastic();
        }
        Scheduler loop = request.getOrDefault(EventLoop.KEY, null);
        return loop == null ? Schedulers.parallel() : loop;
    }

    private static Publisher<?> publisher(LimitedCalls.Call call, Verdict verdict) {
        try {
            @Nullable Object made = made(call, verdict);
            if (made instanceof Publisher<?> publisher) {
                return publisher;
            }
            // Otherwise it comes from a fallback that does not suspend.
            return SuspendFunctions.ADAPTED ? CoroutineCalls.publisher(made) : Mono.justOrEmpty(made);
        } catch (Throwable e) {
            return Mono.error(e);
        }
    }

    private static @Nullable Object made(LimitedCalls.Call call, Verdict verdict) throws Throwable {
        return verdict.allowed() ? copy(call.invocation()).proceed() : call.denied(verdict);
    }

    /** A copy for each subscriber, because an invocation can proceed only once. */
    private static MethodInvocation copy(MethodInvocation invocation) {
        return invocation instanceof ProxyMethodInvocation proxy ? proxy.invocableClone() : invocation;
    }
}
