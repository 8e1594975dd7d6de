package io.headgate.spring.method;

import io.headgate.spring.RateLimit;
import java.lang.reflect.Method;
import java.util.List;
import org.springframework.aop.support.AopUtils;

/** A method, and the type whose annotations apply to it and after which its budgets are named. */
record AnnotatedMethod(Method method, Class<?> type) {

    /** The method that a call on an object of that class runs. */
    static AnnotatedMethod by(Class<?> type, Method called) {
        return new AnnotatedMethod(AopUtils.getMostSpecificMethod(called, type), type);
    }

    List<RateLimit> annotations() {
        return Annotations.of(method, type);
    }
}
