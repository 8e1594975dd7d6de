package io.headgate.spring.method;

import io.headgate.FailurePolicy;
import io.headgate.Plan;
import io.headgate.http.BoundRule;
import io.headgate.http.CostResolver;
import io.headgate.http.LedgerFactory;
import io.headgate.http.Rule;
import io.headgate.http.RuleSet;
import io.headgate.http.RuleValidation;
import io.headgate.http.Subject;
import io.headgate.http.SubjectResolver;
import io.headgate.http.Subjects;
import io.headgate.spring.MethodKeyResolver;
import io.headgate.spring.RateLimit;
import io.headgate.spring.RateLimitExceededException;
import io.headgate.spring.RuleStore;
import io.headgate.spring.method.expression.RequestValues;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Turns annotations into limits, or throws an exception that says what is wrong with them.
 *
 * @param requestsOnThread whether the thread that calls a handler knows its request, as in MVC
 */
public record LimitReader(
        RuleStore rules,
        Subjects subjects,
        LedgerFactory limiters,
        FailurePolicy onStoreFailure,
        String usualAlgorithm,
        MethodKeyResolver keys,
        boolean requestsOnThread) {

    /** The subject of the limit of a handler without a key, as rules write it. */
    private static final List<String> CLIENT_ADDRESS = List.of("ip");

    /**
     * The limit that an annotation declares.
     *
     * @param place the index of the annotation among those of the method, from 0
     * @param handler whether the method is a request handler
     * @throws IllegalArgumentException if the annotation is invalid
     */
    MethodLimit read(RateLimit annotation, int place, Method method, Class<?> type, boolean handler) {
        boolean onRequest = handler && annotation.key().isEmpty();
        if (onRequest && !annotation.fallback().isEmpty()) {
            throw new IllegalArgumentException("fallback '" + annotation.fallback()
                    + "' on a handler needs a key: without one, the request is denied before the handler is called");
        }
        CostResolver cost = cost(annotation, method, type, onRequest);
        KeyExpression key = annotation.key().isEmpty() ? null : key(annotation, method, type, handler);
        Function<InvocationView, Subject> ofCall = onRequest ? null : key != null ? key : this::withoutKey;
        Function<RuleSet, @Nullable BoundRule> reading;
        if (annotation.rule().isEmpty()) {
            BoundRule own = own(annotation, name(annotation, place, method, type), ofCall, cost);
            reading = set -> unlessTaken(own, set);
        } else {
            AnnotatedPlan.rejectBesideRule(annotation);
            NamedRule named = new NamedRule(annotation.rule(), ofCall, cost);
            reading = named::in;
        }
        LiveRule rule = new LiveRule("@RateLimit on " + type.getName() + "#" + method.getName(), rules, reading);
        checkGranted(cost, rule.get());
        boolean reads = handler
                && ((key != null && key.readsRequest()) || !annotation.rule().isEmpty());
        return new MethodLimit(rule, annotation.key(), reads, onRequest, fallback(annotation, method, type));
    }

    private Subject withoutKey(InvocationView call) {
        return keys.resolve(call.called(), call.arguments());
    }

    /** @param key identifies the subject of a call; {@code null} if the limit is checked on the request, for the client address */
    private BoundRule own(
            RateLimit annotation,
            String name,
            @Nullable Function<InvocationView, Subject> key,
            @Nullable CostResolver cost) {
        SubjectResolver subject =
                key == null ? subjects.resolver(CLIENT_ADDRESS, Rule.Missing.FALL_BACK) : CallSubject.orNobody(key);
        boolean needsPrincipal = key == null && subjects.needPrincipal(CLIENT_ADDRESS);
        Plan plan = AnnotatedPlan.of(annotation, usualAlgorithm);
        BoundRule own = BoundRule.ofMethod(name, plan, subject, needsPrincipal, onStoreFailure, limiters);
        return cost == null ? own : own.withCost(cost);
    }

    /** Checked at start-up only: when a rule changes later, the annotation follows it, and a cost that it can never grant is denied. */
    private static void checkGranted(@Nullable CostResolver cost, @Nullable BoundRule rule) {
        if (cost instanceof FixedCost fixed && rule != null && !rule.plansDiffer()) {
            rule.plan().limits().forEach(limit -> RuleValidation.checkGranted(fixed.cost(), limit));
        }
    }

    private static BoundRule unlessTaken(BoundRule own, RuleSet set) {
        String name = own.name();
        if (NamedRule.names(set).contains(name)) {
            throw new IllegalArgumentException(
                    "the name '" + name + "' belongs to a rule, and a name identifies one budget; "
                            + "choose another name, or write rule = \"" + name + "\" to share the budget of the rule");
        }
        return own;
    }

    private KeyExpression key(RateLimit annotation, Method method, Class<?> type, boolean handler) {
        RequestValues.Source request = handler ? new RequestValues.Source(subjects) : null;
        KeyExpression key = new KeyExpression(annotation.key(), method, type, request);
        if (key.readsRequest() && !requestsOnThread && !LimitedCalls.areReactive(method)) {
            throw new IllegalArgumentException("key '" + annotation.key() + "' reads the request, which in WebFlux"
                    + " is known only to methods that return a Mono or a Flux; return one, or take what the key needs"
                    + " as an argument");
        }
        return key;
    }

    /** The cost that the annotation specifies; {@code null} if it specifies none. */
    private static @Nullable CostResolver cost(RateLimit annotation, Method method, Class<?> type, boolean onRequest) {
        if (annotation.cost().isEmpty()) {
            return null;
        }
        CostResolver cost = CostExpression.of(annotation.cost(), method, type);
        if (onRequest && cost instanceof CostExpression) {
            throw new IllegalArgumentException("cost '" + annotation.cost()
                    + "' reads the arguments of a handler and needs a key: without one, the limit is checked on the request, "
                    + "before the arguments are known");
        }
        return cost;
    }

    /** The name of the budget, which is the same on every instance and after every restart. */
    private static String name(RateLimit annotation, int place, Method method, Class<?> type) {
        if (!annotation.name().isEmpty()) {
            if (!RuleValidation.isName(annotation.name())) {
                throw new IllegalArgumentException("name '" + annotation.name() + "': " + RuleValidation.NAME);
            }
            return annotation.name();
        }
        boolean overloaded = Arrays.stream(ReflectionUtils.getUniqueDeclaredMethods(type))
                        .filter(each -> each.getName().equals(method.getName()))
                        .count()
                > 1;
        String parameters = overloaded
                ? "("
                        + String.join(
                                ",",
                                Arrays.stream(SuspendFunctions.parameterTypes(method))
                                        .map(Class::getSimpleName)
                                        .toList())
                        + ")"
                : "";
        return ClassUtils.getUserClass(type).getSimpleName() + "#" + method.getName() + parameters
                + (place == 0 ? "" : "." + (place + 1));
    }

    static @Nullable Method fallback(RateLimit annotation, Method method, Class<?> type) {
        if (annotation.fallback().isEmpty()) {
            return null;
        }
        for (Class<?>[] parameters : fallbackParameters(method)) {
            Method found = ReflectionUtils.findMethod(type, annotation.fallback(), parameters);
            if (method.equals(found)) {
                return itself(method);
            }
            if (found != null && returnsAs(method, found)) {
                if (type.isInterface() && !found.isDefault()) {
                    throw new IllegalArgumentException("on an interface the fallback must be a default method, and "
                            + annotation.fallback() + " is not one");
                }
                if (type.isInterface()) {
                    DefaultMethod.check(found);
                }
                ReflectionUtils.makeAccessible(found);
                return found;
            }
        }
        throw new IllegalArgumentException("there is no method " + annotation.fallback() + " in "
                + type.getName()
                + " that can be the fallback: it needs the return type and the parameters of the limited method, "
                + "optionally followed by a RateLimitExceededException");
    }

    /** What the parameters of a fallback can be. The fallback of a method that suspends may suspend, too. */
    private static List<Class<?>[]> fallbackParameters(Method method) {
        Class<?>[] plain = SuspendFunctions.parameterTypes(method);
        Class<?>[] told = and(plain, RateLimitExceededException.class);
        if (!SuspendFunctions.is(method)) {
            return List.of(told, plain);
        }
        Class<?> continuation = method.getParameterTypes()[plain.length];
        return List.of(and(told, continuation), and(plain, continuation), told, plain);
    }

    private static Class<?>[] and(Class<?>[] types, Class<?> last) {
        Class<?>[] all = Arrays.copyOf(types, types.length + 1);
        all[types.length] = last;
        return all;
    }

    private static boolean returnsAs(Method method, Method fallback) {
        Class<?> wanted = SuspendFunctions.returnType(method);
        Class<?> returned = SuspendFunctions.returnType(fallback);
        return SuspendFunctions.is(method)
                ? ClassUtils.isAssignable(wanted, returned)
                : wanted.isAssignableFrom(returned);
    }

    /** The fallback of a whole type has no fallback: if it were its own, it would run although its call is denied. */
    private static @Nullable Method itself(Method method) {
        if (!Annotations.on(method).isEmpty()) {
            throw new IllegalArgumentException("a method cannot be its own fallback: " + method.getName());
        }
        return null;
    }
}
