package io.headgate.spring.method;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.aop.Advisor;
import org.springframework.aop.Pointcut;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Puts {@link LimitedCalls} before every bean with a limited method, outside of transactions and caches. What is wrong with
 * an annotation is said when the beans are made, what cannot work in a warning.
 */
public final class LimitPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor
        implements SmartInitializingSingleton {

    private static final long serialVersionUID = 1L;

    private static final Log LOG = LogFactory.getLog("io.headgate");

    private final transient Supplier<MethodLimits> limits;
    private final transient LimitedCalls calls;
    private final transient Set<Class<?>> limited = ConcurrentHashMap.newKeySet();
    private transient volatile boolean started;

    /**
     * Asks for both late: post-processors are made before the beans they need.
     *
     * @param threads where calls are made whose limits could not be told at once
     */
    public LimitPostProcessor(Supplier<MethodLimits> limits, Supplier<Executor> threads) {
        this.limits = limits;
        this.calls = new LimitedCalls(limits, threads);
        setProxyTargetClass(true);
        setBeforeExistingAdvisors(true);
        this.advisor = before(Contracts.NONE);
    }

    private Advisor before(Contracts contracts) {
        Pointcut limitedMethods = new StaticMethodMatcherPointcut() {
            @Override
            public boolean matches(Method method, Class<?> type) {
                return contracts.limited().containsKey(method)
                        || !Declared.by(type, method).annotations().isEmpty();
            }
        };
        return new DefaultPointcutAdvisor(limitedMethods, calls.under(contracts));
    }

    /** A bean that has two names is made known twice, and charges its calls once. */
    private static boolean isLimited(Object bean) {
        return bean instanceof Advised advised
                && Arrays.stream(advised.getAdvisors()).anyMatch(each -> each.getAdvice() instanceof LimitedCalls);
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (isLimited(bean)) {
            return bean;
        }
        Contracts contracts = bean instanceof AopInfrastructureBean ? Contracts.NONE : Contracts.of(bean);
        contracts.types().forEach(each -> {
            notice(each);
            warnOfUnheard(each, contracts);
        });
        Class<?> type = ClassUtils.getUserClass(AopUtils.getTargetClass(bean));
        if (!Contracts.isMade(type) && !type.getName().startsWith("org.springframework.")) {
            notice(type);
        }
        return contracts.limited().isEmpty()
                ? super.postProcessAfterInitialization(bean, beanName)
                : limited(bean, before(contracts));
    }

    private void notice(Class<?> type) {
        if (hasLimits(type) && limited.add(type)) {
            warnOfUseless(type);
            if (started) {
                read(type);
            }
        }
    }

    private static Object limited(Object bean, Advisor advisor) {
        if (bean instanceof Advised advised && !advised.isFrozen()) {
            advised.addAdvisor(0, advisor);
            return bean;
        }
        ProxyFactory proxy = new ProxyFactory(bean);
        proxy.addAdvisor(advisor);
        return proxy.getProxy(bean.getClass().getClassLoader());
    }

    private static boolean hasLimits(Class<?> type) {
        if (!Annotations.on(type).isEmpty()) {
            return true;
        }
        for (Method method : ReflectionUtils.getUniqueDeclaredMethods(type)) {
            if (!Annotations.on(method).isEmpty()) {
                return true;
            }
        }
        return false;
    }

    private static void warnOfUseless(Class<?> type) {
        for (Method method : ReflectionUtils.getUniqueDeclaredMethods(type)) {
            int modifiers = method.getModifiers();
            boolean hidden = Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers);
            boolean meant = !Annotations.on(method).isEmpty();
            boolean meantByItsType = !hidden && !Annotations.of(method, type).isEmpty();
            if ((meant && hidden) || ((meant || meantByItsType) && Modifier.isFinal(modifiers))) {
                LOG.warn("@RateLimit on " + type.getName() + "#" + method.getName()
                        + " limits nothing: private, static and final methods are called without passing a proxy");
            }
        }
    }

    private static void warnOfUnheard(Class<?> type, Contracts contracts) {
        for (Method method : type.getMethods()) {
            Declared heard = contracts.limited().get(method);
            if (heard != null
                    && heard.type() != type
                    && !heard.method().equals(method)
                    && !method.isBridge()
                    && !Annotations.of(method, type).isEmpty()) {
                LOG.warn("@RateLimit on " + type.getName() + "#" + method.getName()
                        + " limits nothing on a bean that has this method of "
                        + heard.type().getName() + ", too, with limits of its own");
            }
        }
    }

    @Override
    public void afterSingletonsInstantiated() {
        started = true;
        limited.forEach(this::read);
    }

    private void read(Class<?> type) {
        for (Method method : ReflectionUtils.getUniqueDeclaredMethods(type)) {
            if (!method.isBridge() && !Annotations.of(method, type).isEmpty()) {
                limits.get().of(new Declared(method, type));
            }
        }
    }
}
