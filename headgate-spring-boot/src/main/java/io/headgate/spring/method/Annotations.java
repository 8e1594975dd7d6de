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

/** Finds {@link RateLimit} on methods and types, repeated and inside other annotations. */
final class Annotations {

    private static final List<String> HANDLES_REQUESTS = List.of(
            "org.springframework.web.bind.annotation.RequestMapping",
            "org.springframework.web.service.annotation.HttpExchange");

    /** On methods that are called on the way to a handler or from one, as a part of its request. */
    private static final List<String> PREPARES_REQUESTS = List.of(
            "org.springframework.web.bind.annotation.ModelAttribute",
            "org.springframework.web.bind.annotation.InitBinder",
            "org.springframework.web.bind.annotation.ExceptionHandler",
            "org.springframework.messaging.handler.annotation.MessageExceptionHandler",
            "org.springframework.graphql.data.method.annotation.GraphQlExceptionHandler");

    private Annotations() {}

    /** Those of the method; without any, those of its type if it is public and more than a part of another call, or a handler. */
    static List<RateLimit> of(Method method, Class<?> type) {
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

    /** Those of the element, and of what it overrides or extends unless they were said again on the way down. */
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

    /** Whether all limits of a method are checked on the request, where requests are: then its calls need not be looked at. */
    static boolean areOnRequest(List<RateLimit> limits, Method method, Class<?> type) {
        return limits.stream().allMatch(each -> each.key().isEmpty()) && handlesRequests(method, type);
    }

    /** Whether the method is called to handle requests; an interface may say so, as to Spring. */
    static boolean handlesRequests(Method method, Class<?> type) {
        return AnnotatedElementUtils.hasAnnotation(type, Controller.class) && isAnyOn(method, HANDLES_REQUESTS);
    }
}
