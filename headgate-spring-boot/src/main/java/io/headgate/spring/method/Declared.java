package io.headgate.spring.method;

import io.headgate.spring.RateLimit;
import java.lang.reflect.Method;
import java.util.List;
import org.springframework.aop.support.AopUtils;

/** A method, and the type whose annotations hold for it and whose name its budgets have. */
record Declared(Method method, Class<?> type) {

    /** What a call on an object of that class comes to. */
    static Declared by(Class<?> type, Method called) {
        return new Declared(AopUtils.getMostSpecificMethod(called, type), type);
    }

    List<RateLimit> annotations() {
        return Annotations.of(method, type);
    }
}
