package io.headgate.spring.method;

import io.headgate.http.Verdict;
import io.headgate.spring.CurrentRequest;
import io.headgate.spring.RateLimitExceededException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ClassUtils;

/** The advice that checks the limits of a method before each call and denies calls that exceed them. */
final class LimitedCalls implements MethodInterceptor {

    private static final boolean REACTOR =
            ClassUtils.isPresent("reactor.core.publisher.Mono", LimitedCalls.class.getClassLoader());

    private final Supplier<MethodLimits> limits;
    private final Supplier<Executor> threads;
    private final AnnotatedInterfaces interfaces;
    private final @Nullable ReactiveCalls reactive;

    /**
     * The advice of beans without {@linkplain AnnotatedInterfaces annotated interfaces}.
     *
     * @param threads runs calls that return a future and had to wait for their decision
     */
    LimitedCalls(Supplier<MethodLimits> limits, Supplier<Executor> threads) {
        this(limits, threads, AnnotatedInterfaces.NONE, REACTOR ? new ReactiveCalls() : null);
    }

    private LimitedCalls(
            Supplier<MethodLimits> limits,
            Supplier<Executor> threads,
            AnnotatedInterfaces interfaces,
            @Nullable ReactiveCalls reactive) {
        this.limits = limits;
        this.threads = threads;
        this.interfaces = interfaces;
        this.reactive = reactive;
    }

    /** The same advice for a bean with annotated interfaces. */
    LimitedCalls under(AnnotatedInterfaces interfaces) {
        return new LimitedCalls(limits, threads, interfaces, reactive);
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        AnnotatedMethod declared = interfaces.limited().get(invocation.getMethod());
        declared = declared != null ? declared : ofClass(invocation);
        MethodLimits.Limited limited = limits.get().of(declared);
        if (limited.onCall().isEmpty()) {
            return invocation.proceed();
        }
        Method method = declared.method();
        Object[] arguments = SuspendFunctions.arguments(method, invocation.getArguments());
        if (reactive != null && ReactiveCalls.applies(method)) {
            InvocationView view = new InvocationView(method, arguments, limited.readRequestOfThread());
            return reactive.limited(new Call(invocation, limited, view), method);
        }
        CurrentRequest current = limited.currentRequest();
        Call call = new Call(invocation, limited, new InvocationView(method, arguments, limited.read(current)));
        if (isFuture(method.getReturnType())) {
            return call.later(current, threads);
        }
        Verdict verdict = limited.check(call.view, current);
        return verdict.allowed() ? invocation.proceed() : call.denied(verdict);
    }

    /** Whether a call of that method runs on the calling thread, which is blocked until the limits are checked. */
    static boolean blocksThread(Method method) {
        return !isFuture(method.getReturnType()) && !areReactive(method);
    }

    /** Whether a call of that method is checked, and runs, when somebody subscribes to what it returns. */
    static boolean areReactive(Method method) {
        return REACTOR && ReactiveCalls.applies(method);
    }

    private static boolean isFuture(Class<?> returned) {
        return CompletionStage.class.isAssignableFrom(returned) && returned.isAssignableFrom(CompletableFuture.class);
    }

    private static AnnotatedMethod ofClass(MethodInvocation invocation) {
        Object target = invocation.getThis();
        Method called = invocation.getMethod();
        return AnnotatedMethod.by(
                target == null ? called.getDeclaringClass() : AopUtils.getTargetClass(target), called);
    }

    /** One call, which proceeds or is denied. */
    record Call(MethodInvocation invocation, MethodLimits.Limited limited, InvocationView view) {

        /** Proceeds at once if the verdict is known, otherwise on {@code threads}: never on a thread that reads replies of a store. */
        private CompletableFuture<@Nullable Object> later(
                @Nullable CurrentRequest current, Supplier<Executor> threads) {
            CompletableFuture<Verdict> verdict = limited.checkAsync(view, current);
            return verdict.isDone()
                    ? verdict.thenCompose(this::proceedOrDeny)
                    : verdict.thenComposeAsync(this::proceedOrDeny, threads.get());
        }

        private CompletableFuture<@Nullable Object> proceedOrDeny(Verdict verdict) {
            try {
                Object result = verdict.allowed() ? invocation.proceed() : denied(verdict);
                return result instanceof CompletionStage<?> stage
                        ? stage.thenApply(value -> (Object) value).toCompletableFuture()
                        : CompletableFuture.completedFuture(result);
            } catch (Throwable e) {
                return CompletableFuture.failedFuture(e);
            }
        }

        /** The outcome of a denied call: the result of the fallback, or an exception if there is no fallback. */
        @Nullable
        Object denied(Verdict verdict) throws Throwable {
            RateLimitExceededException denial = new RateLimitExceededException(verdict);
            Method fallback = limited.fallback(verdict.rule());
            if (fallback == null) {
                throw denial;
            }
            @Nullable Object[] arguments = arguments(fallback, denial);
            if (fallback.getDeclaringClass().isInstance(invocation.getThis())) {
                return AopUtils.invokeJoinpointUsingReflection(invocation.getThis(), fallback, arguments);
            }
            Object proxy = ((ProxyMethodInvocation) invocation).getProxy();
            return SuspendFunctions.ADAPTED && SuspendFunctions.is(fallback)
                    ? DefaultMethod.suspending(proxy, fallback, arguments)
                    : DefaultMethod.call(proxy, fallback, arguments);
        }

        /** Those of the call, the denial if the fallback wants it, and the continuation if the fallback suspends. */
        private @Nullable Object[] arguments(Method fallback, RateLimitExceededException denial) {
            List<@Nullable Object> arguments = new ArrayList<>(Arrays.asList(view.arguments()));
            if (SuspendFunctions.parameterCount(fallback) > arguments.size()) {
                arguments.add(denial);
            }
            if (SuspendFunctions.is(fallback)) {
                @Nullable Object[] passed = invocation.getArguments();
                arguments.add(passed[passed.length - 1]);
            }
            return arguments.toArray();
        }
    }
}
