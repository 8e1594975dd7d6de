package io.headgate.spring.method;

import io.headgate.FailurePolicy;
import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.TimeSource;
import io.headgate.http.Checkpoint;
import io.headgate.http.CostResolver;
import io.headgate.http.LimiterFactory;
import io.headgate.http.Rule;
import io.headgate.http.RuleSet;
import io.headgate.http.Subject;
import io.headgate.http.Subjects;
import io.headgate.spring.MethodKeyResolver;
import io.headgate.spring.RateLimit;
import io.headgate.spring.RateLimitExceededException;
import io.headgate.spring.RuleStore;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.util.ClassUtils;
import org.springframework.util.ObjectUtils;
import org.springframework.util.ReflectionUtils;

/** Turns annotations into limits, or says what is wrong with them. */
public record LimitReader(
        RuleStore rules,
        Subjects subjects,
        LimiterFactory limiters,
        TimeSource time,
        FailurePolicy onStoreFailure,
        MethodKeyResolver keys) {

    /**
     * The limit that an annotation asks for.
     *
     * @param place which of the method's annotations it is, from 0
     * @param handler whether the method is called to handle requests
     */
    MethodLimit read(RateLimit annotation, int place, Method method, Class<?> type, boolean handler) {
        try {
            boolean constant = annotation.cost().chars().allMatch(Character::isDigit);
            boolean beforeArguments = handler && annotation.key().isEmpty() && constant;
            if (handler && annotation.key().isEmpty() && !constant) {
                throw new IllegalArgumentException("a cost that depends on arguments needs a key");
            }
            CostResolver cost = constant ? null : cost(ArgumentExpression.parse(annotation.cost(), method));
            Subjects who = beforeArguments ? subjects : new CallSubjects(key(annotation, method));
            Supplier<Checkpoint> point = annotation.rule().isEmpty()
                    ? own(annotation, name(annotation, place, method, type), who, cost)
                    : ofRule(annotation, beforeArguments, who, cost);
            return new MethodLimit(point, beforeArguments, fallback(annotation, method, type));
        } catch (IllegalArgumentException e) {
            throw new InvalidLimitException(type, method, String.valueOf(e.getMessage()), e);
        }
    }

    private Supplier<Checkpoint> own(RateLimit annotation, String name, Subjects who, @Nullable CostResolver cost) {
        Plan plan = plan(annotation);
        Rule rule = Rule.named(name)
                .paths("/**")
                .limits(plan.limits().stream().map(Limit::text).toArray(String[]::new))
                .cost(cost == null ? Long.parseLong(annotation.cost()) : 1)
                .onStoreFailure(onStoreFailure)
                .build();
        if (rule.cost() < 1) {
            throw new IllegalArgumentException("a cost must be at least 1, not " + rule.cost());
        }
        Checkpoint point = new Checkpoint(rule, plan, who, cost, null, limiters, time);
        return () -> point;
    }

    private static Plan plan(RateLimit annotation) {
        boolean numbers = annotation.limit() != 100 || !annotation.window().equals("60s");
        if (annotation.value().length > 0 && numbers) {
            throw new IllegalArgumentException(
                    "either " + Arrays.toString(annotation.value()) + " or limit and window");
        }
        Stream<Limit> limits = annotation.value().length > 0
                ? Arrays.stream(annotation.value()).map(Limit::parse)
                : Stream.of(window(annotation.limit(), annotation.window()));
        return new Plan(
                limits.map(limit -> annotation.algorithm().isEmpty() ? limit : limit.using(annotation.algorithm()))
                        .toList());
    }

    /** A window as our limits are written, or as durations are written in Spring Boot. */
    private static Limit window(long permits, String window) {
        try {
            return Limit.parse(permits + " per " + window);
        } catch (IllegalArgumentException e) {
            try {
                return Limit.of(permits).per(DurationStyle.detectAndParse(window));
            } catch (IllegalArgumentException ignored) {
                throw e;
            }
        }
    }

    /** The limits of a rule as they are now; as they were if the rule has gone. */
    private Supplier<Checkpoint> ofRule(
            RateLimit annotation, boolean asWritten, Subjects who, @Nullable CostResolver cost) {
        String name = annotation.rule();
        return new Supplier<>() {
            private @Nullable RuleSet seen;
            private Checkpoint point = find(rules.get());

            @Override
            @SuppressWarnings("ReferenceEquality") // the very set that was looked at
            public synchronized Checkpoint get() {
                RuleSet now = rules.get();
                if (now != seen) {
                    if (now.checkpoints().stream()
                            .anyMatch(each -> each.rule().name().equals(name))) {
                        point = find(now);
                    }
                    seen = now;
                }
                return point;
            }

            private Checkpoint find(RuleSet set) {
                Checkpoint found = set.checkpoints().stream()
                        .filter(each -> each.rule().name().equals(name))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException("no rule is called '" + name + "'; there are "
                                + set.checkpoints().stream()
                                        .map(each -> each.rule().name())
                                        .toList()));
                return asWritten
                        ? found
                        : new Checkpoint(found.rule(), found.limiter().plan(), who, cost, null, limiters, time);
            }
        };
    }

    private Function<InvocationView, Subject> key(RateLimit annotation, Method method) {
        if (annotation.key().isEmpty()) {
            return call -> keys.resolve(call.called(), call.arguments());
        }
        ArgumentExpression expression = ArgumentExpression.parse(annotation.key(), method);
        return call -> {
            Object value = expression.value(call.arguments());
            return value == null ? Subject.absent() : Subject.of("key", ObjectUtils.nullSafeToString(value));
        };
    }

    private static CostResolver cost(ArgumentExpression expression) {
        return call -> {
            Object value = expression.value(((InvocationView) call).arguments());
            if (value instanceof Number number) {
                return number.longValue();
            }
            throw new IllegalStateException("a cost must be a number, not " + value);
        };
    }

    /** Names the budget: the same on every instance and after every start. */
    private static String name(RateLimit annotation, int place, Method method, Class<?> type) {
        if (!annotation.name().isEmpty()) {
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
                                Arrays.stream(method.getParameterTypes())
                                        .map(Class::getSimpleName)
                                        .toList())
                        + ")"
                : "";
        return ClassUtils.getUserClass(type).getSimpleName() + "#" + method.getName() + parameters
                + (place == 0 ? "" : "/" + (place + 1));
    }

    private static @Nullable Method fallback(RateLimit annotation, Method method, Class<?> type) {
        if (annotation.fallback().isEmpty()) {
            return null;
        }
        Class<?>[] plain = method.getParameterTypes();
        Class<?>[] told = Arrays.copyOf(plain, plain.length + 1);
        told[plain.length] = RateLimitExceededException.class;
        for (Class<?>[] parameters : List.of(told, plain)) {
            Method found = ReflectionUtils.findMethod(type, annotation.fallback(), parameters);
            if (found != null && method.getReturnType().isAssignableFrom(found.getReturnType())) {
                ReflectionUtils.makeAccessible(found);
                return found;
            }
        }
        throw new IllegalArgumentException("there is no method " + annotation.fallback() + " with the parameters and "
                + "return type of the limited one");
    }
}
