package io.headgate.spring;

import java.lang.reflect.Method;
import java.util.Arrays;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.method.annotation.ExceptionHandlerMethodResolver;

/** Detects {@code @ExceptionHandler} methods that an application declares for denials, not for exceptions in general. */
public final class DenialHandlerDetector {

    private DenialHandlerDetector() {}

    /** Whether that controller or advice has such a method. */
    public static boolean in(Class<?> type) {
        Method denials =
                new ExceptionHandlerMethodResolver(type).resolveMethodByExceptionType(RateLimitExceededException.class);
        return denials != null && answeredBy(denials);
    }

    /** Whether that method names {@link RateLimitExceededException}, possibly among other exceptions. */
    public static boolean answeredBy(Method handler) {
        ExceptionHandler said = AnnotatedElementUtils.findMergedAnnotation(handler, ExceptionHandler.class);
        Class<?>[] named = said == null || said.value().length == 0 ? handler.getParameterTypes() : said.value();
        return Arrays.asList(named).contains(RateLimitExceededException.class);
    }
}
