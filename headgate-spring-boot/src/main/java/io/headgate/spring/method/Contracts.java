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
 * The interfaces of a bean that stand for a class nobody wrote: those of a repository, an HTTP client, a lambda. Behind them is
 * a class that is made at run time and named at random, or one that does not implement them and is behind other interfaces too.
 *
 * @param types the interfaces, none of them an extension of another
 * @param limited what calls come to that have limits, by the method as a proxy is told of it
 */
record Contracts(List<Class<?>> types, Map<Method, Declared> limited) {

    static final Contracts NONE = new Contracts(List.of(), Map.of());

    static Contracts of(Object bean) {
        return isMade(bean.getClass()) ? of(bean.getClass(), AopProxyUtils.ultimateTargetClass(bean)) : NONE;
    }

    /** @param target the class behind the proxy */
    static Contracts of(Class<?> proxy, Class<?> target) {
        List<Class<?>> strange = Stream.of(proxy.getInterfaces())
                .filter(each -> isMade(target) || !each.isAssignableFrom(target))
                .filter(each -> !isOfSpring(each))
                .toList();
        List<Class<?>> types = strange.stream()
                .filter(each -> strange.stream().noneMatch(other -> other != each && each.isAssignableFrom(other)))
                .toList();
        Map<Method, Declared> limited = new HashMap<>();
        for (Class<?> each : types.isEmpty() ? new Class<?>[0] : proxy.getInterfaces()) {
            for (Method called : each.getMethods()) {
                Declared declared = declared(called, types);
                if (declared != null) {
                    limited.put(called, declared);
                }
            }
        }
        return new Contracts(types, Map.copyOf(limited));
    }

    /** Whether nobody wrote that class: it has neither annotations nor a name that would be the same after the next start. */
    static boolean isMade(Class<?> type) {
        return Proxy.isProxyClass(type) || ClassUtils.isLambdaClass(type);
    }

    /** Whether it is nobody's to limit; its samples are applications like others. */
    static boolean isOfSpring(Class<?> type) {
        return type.getName().startsWith("org.springframework.")
                && !type.getName().startsWith("org.springframework.samples.");
    }

    /** A method that several interfaces have is that of the first with limits on it. */
    private static @Nullable Declared declared(Method called, List<Class<?>> types) {
        for (Class<?> type : types) {
            Method found = ClassUtils.getMethodIfAvailable(type, called.getName(), called.getParameterTypes());
            if (found != null && !Modifier.isStatic(called.getModifiers())) {
                Declared declared = new Declared(BridgeMethodResolver.findBridgedMethod(found), type);
                if (!declared.annotations().isEmpty()) {
                    return declared;
                }
            }
        }
        return null;
    }
}
