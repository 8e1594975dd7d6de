package io.headgate.spring.method;

import io.headgate.http.Checkpoint;
import io.headgate.http.Gate;
import io.headgate.http.Listeners;
import io.headgate.http.RequestView;
import io.headgate.http.Rule;
import io.headgate.http.RuleSet;
import io.headgate.http.Verdict;
import io.headgate.spring.AnnotatedLimits;
import io.headgate.spring.HandlerLimits;
import io.headgate.spring.RateLimit;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
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
    private final Gate gate;
    private final boolean web;
    private final Map<Class<?>, Map<Method, Limited>> known = new ConcurrentHashMap<>();

    /** The contracts of handlers behind interface proxies, by the class of the proxy. */
    private final Map<Class<?>, Contracts> contracts = new ConcurrentHashMap<>();

    private final BudgetNames names = new BudgetNames();

    /** @param web whether the limits of handlers are checked on the request */
    public MethodLimits(LimitReader reader, Listeners listeners, boolean web) {
        this.reader = reader;
        this.gate = new Gate(() -> RuleSet.EMPTY, Rule.Stage.HANDLER, listeners);
        this.web = web;
    }

    /**
     * The limits of one method.
     *
     * @param onRequest the limits that are checked on the request
     * @param onCall the limits that are checked when the method is called
     * @param gate checks the limits in {@code onCall}
     */
    record Limited(List<MethodLimit> onRequest, List<MethodLimit> onCall, Gate gate) {

        Verdict check(RequestView call) {
            return gate.check(call, points(onCall));
        }

        CompletableFuture<Verdict> checkAsync(RequestView call) {
            return gate.checkAsync(call, points(onCall));
        }

        /** The method to call instead when that rule has refused the call; {@code null} if there is none. */
        @Nullable
        Method fallback(@Nullable Rule refused) {
            for (MethodLimit limit : onCall) {
                Checkpoint point = limit.point().get();
                if (refused != null && point != null && point.rule().name().equals(refused.name())) {
                    return limit.fallback();
                }
            }
            return null;
        }
    }

    /** The limits of a method; its annotations are read on the first call. */
    Limited of(Declared place) {
        Map<Method, Limited> methods = known.get(place.type());
        Limited limited = methods == null ? null : methods.get(place.method());
        return limited != null ? limited : readOnce(place);
    }

    private Limited readOnce(Declared place) {
        return known.computeIfAbsent(place.type(), missing -> new ConcurrentHashMap<>())
                .computeIfAbsent(place.method(), missing -> read(place));
    }

    private Limited read(Declared place) {
        boolean handler = handles(place);
        List<MethodLimit> onRequest = new ArrayList<>();
        List<MethodLimit> onCall = new ArrayList<>();
        List<RateLimit> annotations = place.annotations();
        Set<String> taken = new HashSet<>();
        for (int i = 0; i < annotations.size(); i++) {
            MethodLimit limit = read(annotations.get(i), i, place, handler, taken);
            (limit.onRequest() ? onRequest : onCall).add(limit);
        }
        return new Limited(List.copyOf(onRequest), List.copyOf(onCall), gate);
    }

    private MethodLimit read(RateLimit annotation, int index, Declared place, boolean handler, Set<String> taken) {
        try {
            MethodLimit limit = reader.read(annotation, index, place.method(), place.type(), handler);
            names.take(annotation, limit.point().get(), place, taken);
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
            boolean handler = handles(new Declared(method, type));
            Stream.concat(limited.onRequest().stream(), limited.onCall().stream())
                    .forEach(limit -> {
                        Checkpoint point = limit.point().get();
                        if (point != null) {
                            all.add(new Annotated(place, handler, limit.onRequest(), limit.key(), point));
                        }
                    });
        }));
        all.sort(Comparator.comparing(Annotated::method)
                .thenComparing(each -> each.point().rule().name()));
        return List.copyOf(all);
    }

    private boolean handles(Declared place) {
        return web && Annotations.handlesRequests(place.method(), place.type());
    }

    @Override
    public List<Checkpoint> of(Object handler) {
        return handler instanceof HandlerMethod method
                ? points(of(declared(method)).onRequest())
                : List.of();
    }

    @Override
    public boolean limits(Object handler) {
        if (!(handler instanceof HandlerMethod method)) {
            return false;
        }
        Declared declared = declared(method);
        Limited limited = of(declared);
        return !points(limited.onRequest()).isEmpty()
                || (Annotations.canBeIntercepted(declared.method())
                        && !points(limited.onCall()).isEmpty());
    }

    @Override
    public boolean holdsThread(Object handler) {
        return handler instanceof HandlerMethod method
                && !of(declared(method)).onCall().isEmpty()
                && LimitedCalls.holdThread(method.getMethod());
    }

    /**
     * The method whose annotations apply to a handler: behind an interface proxy, that of the target or of an interface.
     *
     * @param method a {@code HandlerMethod}. No method signature of a bean may name that type: Spring introspects all of them, and
     *     an application without Spring Web does not have the class
     */
    private Declared declared(Object method) {
        HandlerMethod handler = (HandlerMethod) method;
        Method called = handler.getMethod();
        Class<?> type = handler.getBeanType();
        if (!Contracts.isMade(type)) {
            return new Declared(called, type);
        }
        Class<?> target = AopProxyUtils.ultimateTargetClass(
                handler.createWithResolvedBean().getBean());
        return Contracts.isMade(target)
                ? contracts
                        .computeIfAbsent(type, proxy -> Contracts.of(proxy, target))
                        .limited()
                        .getOrDefault(called, new Declared(called, called.getDeclaringClass()))
                : Declared.by(target, called);
    }

    private static List<Checkpoint> points(List<MethodLimit> limits) {
        return limits.isEmpty()
                ? List.of()
                : limits.stream()
                        .map(limit -> limit.point().get())
                        .filter(Objects::nonNull)
                        .toList();
    }
}
