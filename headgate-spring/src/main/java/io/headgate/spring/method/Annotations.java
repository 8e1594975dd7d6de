package io.headgate.spring.method;

import io.headgate.spring.RateLimit;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Objects;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.annotation.RepeatableContainers;
import org.springframework.stereotype.Controller;

/** Finds {@link RateLimit} on methods and types, including repeated ones and meta-annotations. */
final class Annotations {

    private static final List<String> HANDLES_REQUESTS = List.of(
            "org.springframework.web.bind.annotation.RequestMapping",
            "org.springframework.web.service.annotation.HttpExchange");

    /** Annotations of methods that are called before or after a handler, as part of the same request. */
    private static final List<String> PREPARES_REQUESTS = List.of(
            "org.springframework.web.bind.annotation.ModelAttribute",
            "org.springframework.web.bind.annotation.InitBinder",
            "org.springframework.web.bind.annotation.ExceptionHandler",
            "org.springframework.messaging.handler.annotation.MessageExceptionHandler",
            "org.springframework.graphql.data.method.annotation.GraphQlExceptionHandler");

    private Annotations() {}

    /**
     * The annotations of the method. If it has none, those of its type, provided that the method is a handler, or is public and not
     * merely called as part of the request of a handler. Methods that a compiler adds have none, even if it copies annotations to
     * them, as Kotlin does for functions that suspend.
     */
    static List<RateLimit> of(Method method, Class<?> type) {
        if (method.isSynthetic() && !method.isBridge()) {
            return List.of();
        }
        List<RateLimit> own = on(method);
        if (!own.isEmpty() || method.getDeclaringClass() == Object.class || method.isBridge()) {
            return own;
        }
        List<RateLimit> ofType = on(type);
        return !ofType.isEmpty() && isMeantBy(type, method) ? ofType : List.of();
    }

    private static boolean isMeantBy(Class<?> type, Method method) {
        return Modifier.isPublic(method.getModifiers()) ? !preparesRequests(method) : handlesRequests(method, type);
    }

    /**
     * The annotations of the element and of the elements that it overrides or extends. An annotation further down in the hierarchy
     * replaces those above it.
     */
    static List<RateLimit> on(AnnotatedElement element) {
        List<MergedAnnotation<RateLimit>> all =
                MergedAnnotations.from(
                                element, SearchStrategy.TYPE_HIERARCHY, RepeatableContainers.standardRepeatables())
                        .stream(RateLimit.class)
                        .toList();
        return all.stream()
                .filter(each -> all.stream().noneMatch(other -> isBelow(place(other), place(each))))
                .map(MergedAnnotation::synthesize)
                .toList();
    }

    private static Class<?> place(MergedAnnotation<?> annotation) {
        return annotation.getSource() instanceof Member member
                ? member.getDeclaringClass()
                : (Class<?>) Objects.requireNonNull(annotation.getSource());
    }

    private static boolean isBelow(Class<?> type, Class<?> other) {
        return type != other && other.isAssignableFrom(type);
    }

    private static boolean preparesRequests(Method method) {
        return isAnyOn(method, PREPARES_REQUESTS) && !isAnyOn(method, HANDLES_REQUESTS);
    }

    private static boolean isAnyOn(Method method, List<String> annotations) {
        MergedAnnotations onMethod = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
        return annotations.stream().anyMatch(onMethod::isPresent);
    }

    /** Whether a proxy can intercept the calls of the method. */
    static boolean canBeIntercepted(Method method) {
        return (method.getModifiers() & (Modifier.PRIVATE | Modifier.STATIC | Modifier.FINAL)) == 0;
    }

    /** Whether a web application checks all limits of the method on the request, so that its calls need no advice. */
    static boolean areOnRequest(List<RateLimit> limits, Method method, Class<?> type) {
        return limits.stream().allMatch(each -> each.key().isEmpty()) && handlesRequests(method, type);
    }

    /** Whether the method is a request handler. As in Spring, the mapping may be declared on an interface. */
    static boolean handlesRequests(Method method, Class<?> type) {
        return AnnotatedElementUtils.hasAnnotation(type, Controller.class) && isAnyOn(method, HANDLES_REQUESTS);
    }
}
