package io.headgate.spring.servlet;

import io.headgate.spring.OwnRefusals;
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
 * The {@code @ExceptionHandler} methods of the application, found as Spring finds them: in the controller and then in one advice after
 * the other, by the exception or its cause, and by the media types that the client accepts. None is called.
 */
final class ExceptionHandlers extends ExceptionHandlerExceptionResolver {

    /** What Spring calls its own, beside which an application may have others. */
    private static final String NEGOTIATION = "mvcContentNegotiationManager";

    ExceptionHandlers(ApplicationContext application) {
        setApplicationContext(application);
        if (application.containsBean(NEGOTIATION)) {
            setContentNegotiationManager(application.getBean(NEGOTIATION, ContentNegotiationManager.class));
        }
        afterPropertiesSet();
    }

    /** Whether the one that Spring would call is for refusals, and not for exceptions in general or for what wraps a refusal. */
    boolean areFor(Exception thrown, HandlerMethod handler, HttpServletRequest request) {
        Method called = method(thrown, handler, request);
        return called != null && OwnRefusals.answeredBy(called);
    }

    private @Nullable Method method(Exception thrown, HandlerMethod handler, HttpServletRequest request) {
        ServletInvocableHandlerMethod found =
                getExceptionHandlerMethod(handler, thrown, new ServletWebRequest(request));
        request.removeAttribute(HandlerMapping.PRODUCIBLE_MEDIA_TYPES_ATTRIBUTE); // as it was before somebody was found
        return found == null ? null : found.getMethod();
    }
}
