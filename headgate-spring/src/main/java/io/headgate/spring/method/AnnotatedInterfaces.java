package io.headgate.spring.method;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.util.ClassUtils;

/**
 * The interfaces of a bean whose annotations apply because no hand-written class implements them: those of a repository, an HTTP
 * client, a lambda. The class behind them is generated at run time with a random name, or does not implement them and serves other
 * interfaces too.
 *
 * @param types the interfaces, none of which extends another one
 * @param limited the declaration with limits for each method, as a proxy receives it
 */
record AnnotatedInterfaces(List<Class<?>> types, Map<Method, AnnotatedMethod> limited) {

    static final AnnotatedInterfaces NONE = new AnnotatedInterfaces(List.of(), Map.of());

    static AnnotatedInterfaces of(Object bean) {
        return isGenerated(bean.getClass()) ? of(bean.getClass(), AopProxyUtils.ultimateTargetClass(bean)) : NONE;
    }

    /** @param target the class behind the proxy */
    static AnnotatedInterfaces of(Class<?> proxy, Class<?> target) {
        List<Class<?>> candidates = Stream.of(proxy.getInterfaces())
                .filter(each -> isGenerated(target) || !each.isAssignableFrom(target))
                .filter(each -> !isSpringType(each))
                .toList();
        List<Class<?>> types = candidates.stream()
                .filter(each -> candidates.stream().noneMatch(other -> other != each && each.isAssignableFrom(other)))
                .toList();
        Map<Method, AnnotatedMethod> limited = new HashMap<>();
        for (Class<?> each : types.isEmpty() ? new Class<?>[0] : proxy.getInterfaces()) {
            for (Method called : each.getMethods()) {
                AnnotatedMethod declared = declared(called, types);
                if (declared != null) {
                    limited.put(called, declared);
                }
            }
        }
        return new AnnotatedInterfaces(types, Map.copyOf(limited));
    }

    /** Whether the class is generated at run time: it has neither annotations nor a name that is the same after a restart. */
    static boolean isGenerated(Class<?> type) {
        return Proxy.isProxyClass(type) || ClassUtils.isLambdaClass(type);
    }

    /** Whether the type belongs to Spring, so that users cannot annotate it. The samples of Spring are ordinary applications. */
    static boolean isSpringType(Class<?> type) {
        return type.getName().startsWith("org.springframework.")
                && !type.getName().startsWith("org.springframework.samples.");
    }

    /** The declaration of a called method; if several interfaces declare it, that of the first with limits on it. */
    private static @Nullable AnnotatedMethod declared(Method called, List<Class<?>> types) {
        for (Class<?> type : types) {
            Method found = ClassUtils.getMethodIfAvailable(type, called.getName(), called.getParameterTypes());
            if (found != null && !Modifier.isStatic(called.getModifiers())) {
                AnnotatedMethod declared = new AnnotatedMethod(BridgeMethodResolver.findBridgedMethod(found), type);
                if (!declared.annotations().isEmpty()) {
                    return declared;
                }
            }
        }
        return null;
    }
}
