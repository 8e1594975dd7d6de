package io.headgate.spring.method;

import io.headgate.http.Verdict;
import java.util.Objects;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.Job;
import kotlinx.coroutines.flow.Flow;
import kotlinx.coroutines.reactive.ReactiveFlowKt;
import kotlinx.coroutines.reactor.MonoKt;
import kotlinx.coroutines.reactor.ReactorFlowKt;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/** What Kotlin's coroutines need beyond Spring's proxies. Loaded only where {@link SuspendFunctions#ADAPTED} says so. */
final class CoroutineCalls {

    private CoroutineCalls() {}

    /** A call that may throw anything, as Kotlin may. */
    @FunctionalInterface
    interface Call<T> {

        @Nullable
        Object with(T value) throws Throwable;
    }

    static boolean isFlow(Class<?> type) {
        return type == Flow.class;
    }

    /**
     * A flow that waits for its verdict on each collection and then collects the flow that the call returns. That one runs in the
     * context of the collector, on its dispatcher and with its job, as it would not if it were a {@code Flux} on the way.
     */
    static Object limited(Mono<Verdict> verdict, Call<Verdict> call) {
        Flow<Verdict> verdicts = ReactiveFlowKt.asFlow(verdict);
        Flow<Object> limited = (collector, continuation) ->
                verdicts.collect((told, next) -> flow(call, told).collect(collector, next), continuation);
        return limited;
    }

    @SuppressWarnings("unchecked")
    private static Flow<Object> flow(Call<Verdict> call, Verdict verdict) {
        return (Flow<Object>) Objects.requireNonNull(CoroutineCalls.<Verdict, RuntimeException>made(call, verdict));
    }

    /** The result of a function that does not suspend. */
    static Publisher<?> publisher(@Nullable Object result) {
        return result instanceof Flow<?> flow ? ReactorFlowKt.asFlux(flow) : Mono.justOrEmpty(result);
    }

    /**
     * Calls a function that suspends, in the context of its caller, as Spring's proxies do.
     *
     * @param caller the continuation of the caller
     * @param call is given the continuation of the function
     */
    static Mono<Object> mono(Object caller, Call<Object> call) {
        CoroutineContext context = ((Continuation<?>) caller).getContext().minusKey(Job.Key);
        return MonoKt.mono(context, (scope, own) -> CoroutineCalls.<Object, RuntimeException>made(call, own));
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // so that nothing has to declare what is thrown
    private static <T, X extends Throwable> @Nullable Object made(Call<T> call, T value) throws X {
        try {
            return call.with(value);
        } catch (Throwable e) {
            throw (X) e;
        }
    }
}
