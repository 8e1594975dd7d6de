package io.headgate.spring.method;

import io.headgate.http.BoundRule;
import io.headgate.http.Gate;
import io.headgate.http.RequestView;
import io.headgate.http.Verdict;
import io.headgate.spring.AnnotatedLimits;
import io.headgate.spring.CurrentRequest;
import io.headgate.spring.HandlerLimits;
import io.headgate.spring.RateLimit;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.util.ClassUtils;
import org.springframework.web.method.HandlerMethod;

/**
 * The limits of all methods with a {@link RateLimit}.
 *
 * <p>The limits of a request handler that have no key are checked on the request, in the same pass as the rules. All other limits
 * are checked when the method is called.
 */
public final class MethodLimits implements HandlerLimits, AnnotatedLimits {

    private final LimitReader reader;
    private final Placeholders placeholders;
    private final Gate gate;
    private final boolean web;
    private final CurrentRequest.Source requests;
    private final List<Consumer<BoundRule>> newLimitListeners = new CopyOnWriteArrayList<>();
    private volatile boolean hasCallLimits;
    private final Map<Class<?>, Map<Method, Limited>> known = new ConcurrentHashMap<>();

    /** The contracts of handlers behind interface proxies, by the class of the proxy. */
    private final Map<Class<?>, AnnotatedInterfaces> contracts = new ConcurrentHashMap<>();

    private final BudgetNames names = new BudgetNames();

    /**
     * Creates limits that are read when they are first needed.
     *
     * @param placeholders fills in the placeholders in a text
     * @param requests finds the request that a thread works on
     * @param gate checks the limits of calls
     * @param web whether the limits of handlers are checked on the request
     */
    public MethodLimits(
            LimitReader reader,
            UnaryOperator<String> placeholders,
            CurrentRequest.Source requests,
            Gate gate,
            boolean web) {
        this.reader = reader;
        this.placeholders = new Placeholders(placeholders);
        this.requests = requests;
        this.gate = gate;
        this.web = web;
    }

    /**
     * The limits of one method.
     *
     * @param onRequest the limits that are checked on the request
     * @param onCall the limits that are checked when the method is called
     * @param handler whether the method handles requests
     * @param readsRequest whether limits in {@code onCall} read the request
     * @param requests finds the request that a thread works on
     * @param gate checks the limits in {@code onCall}
     */
    record Limited(
            List<MethodLimit> onRequest,
            List<MethodLimit> onCall,
            boolean handler,
            boolean readsRequest,
            CurrentRequest.Source requests,
            Gate gate) {

        /** The request that the calling thread works on; {@code null} if there is none. */
        @Nullable
        CurrentRequest currentRequest() {
            return requests.find(handler);
        }

        /** What the limits of a call that is checked later may read: the request that the thread works on now. */
        @Nullable
        RequestView readRequestOfThread() {
            return readsRequest ? read(requests.find(false)) : null;
        }

        /** What the limits may read of that request. */
        @Nullable
        RequestView read(@Nullable CurrentRequest current) {
            return readsRequest && current != null ? current.view() : null;
        }

        /** @param current the request that the call is made for */
        Verdict check(InvocationView call, @Nullable CurrentRequest current) {
            return report(gate.check(call, rules(onCall)), current);
        }

        /** As {@link #check}, without blocking. */
        CompletableFuture<Verdict> checkAsync(InvocationView call, @Nullable CurrentRequest current) {
            CompletableFuture<Verdict> verdict = gate.checkAsync(call, rules(onCall));
            if (current == null) {
                return verdict;
            }
            CurrentRequest reported = verdict.isDone() ? current : current.later();
            return verdict.thenApply(made -> report(made, reported));
        }

        private static Verdict report(Verdict verdict, @Nullable CurrentRequest current) {
            if (current != null && verdict.decision() != null && verdict.allowed()) {
                current.charged(verdict);
            }
            return verdict;
        }

        /** The method to call instead when that rule has denied the call; {@code null} if there is none. */
        @Nullable
        Method fallback(@Nullable String denied) {
            for (MethodLimit limit : onCall) {
                BoundRule rule = limit.rule().get();
                if (rule != null && rule.name().equals(denied)) {
                    return limit.fallback();
                }
            }
            return null;
        }
    }

    /** The limits of a method; its annotations are read on the first call. */
    Limited of(AnnotatedMethod place) {
        Map<Method, Limited> methods = known.get(place.type());
        Limited limited = methods == null ? null : methods.get(place.method());
        return limited != null ? limited : readOnce(place);
    }

    private Limited readOnce(AnnotatedMethod place) {
        Limited limited = known.computeIfAbsent(place.type(), missing -> new ConcurrentHashMap<>())
                .computeIfAbsent(place.method(), missing -> read(place));
        for (List<MethodLimit> limits : List.of(limited.onRequest(), limited.onCall())) {
            rules(limits).forEach(rule -> newLimitListeners.forEach(each -> each.accept(rule)));
        }
        return limited;
    }

    @Override
    public void onNew(Consumer<BoundRule> read) {
        newLimitListeners.add(read);
    }

    private Limited read(AnnotatedMethod place) {
        boolean handler = handles(place);
        List<MethodLimit> onRequest = new ArrayList<>();
        List<MethodLimit> onCall = new ArrayList<>();
        List<RateLimit> annotations = place.annotations();
        Set<String> taken = new HashSet<>();
        for (int i = 0; i < annotations.size(); i++) {
            MethodLimit limit = read(annotations.get(i), i, place, handler, taken);
            (limit.onRequest() ? onRequest : onCall).add(limit);
        }
        boolean reads = onCall.stream().anyMatch(MethodLimit::readsRequest);
        hasCallLimits |= !onCall.isEmpty();
        return new Limited(List.copyOf(onRequest), List.copyOf(onCall), handler, reads, requests, gate);
    }

    private MethodLimit read(RateLimit written, int index, AnnotatedMethod place, boolean handler, Set<String> taken) {
        try {
            RateLimit annotation = placeholders.fillIn(written);
            MethodLimit limit = reader.read(annotation, index, place.method(), place.type(), handler);
            names.register(annotation, limit.rule().get(), place, taken);
            return limit;
        } catch (IllegalArgumentException e) {
            throw new InvalidLimitException(place.type(), place.method(), String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public List<Annotated> all() {
        List<Annotated> all = new ArrayList<>();
        known.forEach((type, methods) -> methods.forEach((method, limited) -> {
            String place = ClassUtils.getUserClass(type).getName() + "#" + method.getName();
            boolean handler = handles(new AnnotatedMethod(method, type));
            Stream.concat(limited.onRequest().stream(), limited.onCall().stream())
                    .forEach(limit -> {
                        BoundRule rule = limit.rule().get();
                        if (rule != null) {
                            all.add(new Annotated(place, handler, limit.onRequest(), limit.key(), rule));
                        }
                    });
        }));
        all.sort(Comparator.comparing(Annotated::method)
                .thenComparing(each -> each.rule().name()));
        return List.copyOf(all);
    }

    private boolean handles(AnnotatedMethod place) {
        return web && Annotations.handlesRequests(place.method(), place.type());
    }

    @Override
    public List<BoundRule> of(Object handler) {
        return handler instanceof HandlerMethod method
                ? rules(of(declared(method)).onRequest())
                : List.of();
    }

    @Override
    public boolean isLimited(Object handler) {
        if (!(handler instanceof HandlerMethod method)) {
            return false;
        }
        AnnotatedMethod declared = declared(method);
        Limited limited = of(declared);
        return !rules(limited.onRequest()).isEmpty()
                || (Annotations.canBeIntercepted(declared.method())
                        && !rules(limited.onCall()).isEmpty());
    }

    @Override
    public boolean hasCallLimits() {
        return hasCallLimits;
    }

    @Override
    public boolean hasCallLimits(Object handler) {
        return handler instanceof HandlerMethod method
                && !of(declared(method)).onCall().isEmpty();
    }

    @Override
    public boolean blocksThread(Object handler) {
        return hasCallLimits(handler) && LimitedCalls.blocksThread(((HandlerMethod) handler).getMethod());
    }

    /**
     * The method whose annotations apply to a handler: behind an interface proxy, that of the target or of an interface.
     *
     * @param method a {@code HandlerMethod}. No method signature of a bean may name that type: Spring introspects all of them, and
     *     an application without Spring Web does not have the class
     */
    private AnnotatedMethod declared(Object method) {
        HandlerMethod handler = (HandlerMethod) method;
        Method called = handler.getMethod();
        Class<?> type = handler.getBeanType();
        if (!AnnotatedInterfaces.isGenerated(type)) {
            return new AnnotatedMethod(called, type);
        }
        Class<?> target = AopProxyUtils.ultimateTargetClass(
                handler.createWithResolvedBean().getBean());
        return AnnotatedInterfaces.isGenerated(target)
                ? contracts
                        .computeIfAbsent(type, proxy -> AnnotatedInterfaces.of(proxy, target))
                        .limited()
                        .getOrDefault(called, new AnnotatedMethod(called, called.getDeclaringClass()))
                : AnnotatedMethod.by(target, called);
    }

    /** The bound rules of those limits whose rules are not off. */
    private static List<BoundRule> rules(List<MethodLimit> limits) {
        if (limits.isEmpty()) {
            return List.of();
        }
        List<BoundRule> rules = new ArrayList<>(limits.size());
        for (MethodLimit limit : limits) {
            BoundRule rule = limit.rule().get();
            if (rule != null) {
                rules.add(rule);
            }
        }
        return rules;
    }
}
