package io.headgate.spring.method;

import io.headgate.Key;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Store;
import io.headgate.spring.RateLimit;
import java.lang.reflect.Method;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Tells a native image of the methods of the application's own beans that are found by name: fallbacks, and how a store is asked. */
final class LimitHints implements BeanRegistrationAotProcessor {

    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
        Class<?> type = ClassUtils.getUserClass(bean.getBeanClass());
        Set<Method> found = new LinkedHashSet<>();
        addFallbacks(type, found);
        if (Store.class.isAssignableFrom(type)) {
            found.add(ClassUtils.getMethod(type, "applyAsync", Key.class, Plan.class, Operation.class));
        }
        return found.isEmpty()
                ? null
                : (context, code) -> found.forEach(
                        method -> context.getRuntimeHints().reflection().registerMethod(method, ExecutableMode.INVOKE));
    }

    private static void addFallbacks(Class<?> type, Set<Method> found) {
        for (Method limited : ReflectionUtils.getUniqueDeclaredMethods(type)) {
            for (RateLimit annotation : Annotations.of(limited, type)) {
                for (Method method : ReflectionUtils.getUniqueDeclaredMethods(type)) {
                    if (method.getName().equals(annotation.fallback())) {
                        found.add(method);
                    }
                }
            }
        }
    }
}
