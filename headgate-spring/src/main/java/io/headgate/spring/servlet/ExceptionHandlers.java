package io.headgate.spring.servlet;

import io.headgate.spring.DenialHandlerDetector;
import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.web.accept.ContentNegotiationManager;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.mvc.method.annotation.ExceptionHandlerExceptionResolver;
import org.springframework.web.servlet.mvc.method.annotation.ServletInvocableHandlerMethod;

/**
 * Finds the {@code @ExceptionHandler} methods of the application as Spring does: first in the controller and then in each advice in
 * order, by the exception or its cause, and by the media types that the client accepts. Calls none of them.
 */
final class ExceptionHandlers extends ExceptionHandlerExceptionResolver {

    /** The bean name of Spring's own content negotiation manager; an application may have others. */
    private static final String NEGOTIATION = "mvcContentNegotiationManager";

    ExceptionHandlers(ApplicationContext application) {
        setApplicationContext(application);
        if (application.containsBean(NEGOTIATION)) {
            setContentNegotiationManager(application.getBean(NEGOTIATION, ContentNegotiationManager.class));
        }
        afterPropertiesSet();
    }

    /** Whether the method that Spring would call is for denials, not for exceptions in general or for one that wraps a denial. */
    boolean areFor(Exception thrown, HandlerMethod handler, HttpServletRequest request) {
        Method called = method(thrown, handler, request);
        return called != null && DenialHandlerDetector.answeredBy(called);
    }

    private @Nullable Method method(Exception thrown, HandlerMethod handler, HttpServletRequest request) {
        ServletInvocableHandlerMethod found =
                getExceptionHandlerMethod(handler, thrown, new ServletWebRequest(request));
        request.removeAttribute(HandlerMapping.PRODUCIBLE_MEDIA_TYPES_ATTRIBUTE); // set by the search
        return found == null ? null : found.getMethod();
    }
}
