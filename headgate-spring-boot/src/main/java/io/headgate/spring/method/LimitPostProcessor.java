package io.headgate.spring.method;

import io.headgate.spring.RateLimit;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.aop.Advisor;
import org.springframework.aop.Pointcut;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopConfigException;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.Ordered;
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
    private final transient Map<Class<?>, Boolean> readable = new ConcurrentHashMap<>();
    private final transient Set<Class<?>> noticed = ConcurrentHashMap.newKeySet();
    private final transient Set<Class<?>> limited = ConcurrentHashMap.newKeySet();
    private transient volatile boolean started;

    private final boolean web;

    /**
     * Asks for the first two late: post-processors are made before the beans they need.
     *
     * @param threads where calls are made whose limits could not be told at once
     * @param web whether somebody checks the limits of handlers on the request
     */
    public LimitPostProcessor(Supplier<MethodLimits> limits, Supplier<Executor> threads, boolean web) {
        this.limits = limits;
        this.calls = new LimitedCalls(limits, threads);
        this.web = web;
        setProxyTargetClass(true);
        setBeforeExistingAdvisors(true);
        // Just before those who note down whom to call, such as listeners of queues: they shall note down the limited
        // bean.
        setOrder(Ordered.LOWEST_PRECEDENCE - 1);
        this.advisor = before(Contracts.NONE);
    }

    private Advisor before(Contracts contracts) {
        Pointcut limitedMethods = new StaticMethodMatcherPointcut() {
            @Override
            public boolean matches(Method method, Class<?> type) {
                return contracts.limited().containsKey(method) || isLimitedOnCall(Declared.by(type, method));
            }
        };
        return new DefaultPointcutAdvisor(limitedMethods, calls.under(contracts));
    }

    /** A handler whose limits are checked on the request needs no proxy, which some classes cannot have. */
    private boolean isLimitedOnCall(Declared declared) {
        List<RateLimit> limits = declared.annotations();
        return !limits.isEmpty() && !(web && Annotations.areOnRequest(limits, declared.method(), declared.type()));
    }

    /** A bean that has two names is made known twice, and charges its calls once. */
    private static boolean isLimited(Object bean) {
        return bean instanceof Advised advised
                && Arrays.stream(advised.getAdvisors()).anyMatch(each -> each.getAdvice() instanceof LimitedCalls);
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        boolean asked = !isLimited(bean)
                && readable.computeIfAbsent(AopUtils.getTargetClass(bean), LimitPostProcessor::canBeRead);
        return asked ? limitedIfAsked(bean, beanName) : bean;
    }

    /** Beans of libraries may name classes that are not there, as long as nobody calls them so. */
    static boolean canBeRead(Class<?> type) {
        try {
            ReflectionUtils.getUniqueDeclaredMethods(type);
            return true;
        } catch (IllegalStateException | LinkageError e) {
            LOG.debug("the methods of " + type.getName() + " cannot be read, so none of them is limited", e);
            return false;
        }
    }

    private Object limitedIfAsked(Object bean, String beanName) {
        Contracts contracts = bean instanceof AopInfrastructureBean ? Contracts.NONE : Contracts.of(bean);
        contracts.types().forEach(each -> {
            notice(each);
            warnOfUnheard(each, contracts);
        });
        Class<?> type = ClassUtils.getUserClass(AopUtils.getTargetClass(bean));
        if (!Contracts.isMade(type) && !Contracts.isOfSpring(type)) {
            notice(type);
        }
        try {
            return contracts.limited().isEmpty()
                    ? super.postProcessAfterInitialization(bean, beanName)
                    : limited(bean, before(contracts));
        } catch (AopConfigException e) {
            throw new InvalidLimitException(type, "calls of it must pass a proxy. " + e.getMessage(), e);
        }
    }

    /** Looks at a type once: beans of a scope are made all the time. */
    private void notice(Class<?> type) {
        if (noticed.add(type) && hasLimits(type)) {
            limited.add(type);
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

    private void warnOfUseless(Class<?> type) {
        boolean meansNone = true;
        for (Method method : ReflectionUtils.getUniqueDeclaredMethods(type)) {
            List<RateLimit> limits = Annotations.of(method, type);
            meansNone &= limits.isEmpty();
            if (limits.isEmpty() || (web && Annotations.areOnRequest(limits, method, type))) {
                continue;
            }
            int modifiers = method.getModifiers();
            boolean byItsType = Annotations.on(method).isEmpty();
            if (Modifier.isPrivate(modifiers)
                    || (Modifier.isStatic(modifiers) ? !byItsType : Modifier.isFinal(modifiers))) {
                LOG.warn("@RateLimit on " + type.getName() + "#" + method.getName()
                        + " limits nothing: private, static and final methods are called without passing a proxy");
            }
        }
        if (meansNone) {
            LOG.warn("@RateLimit on " + type.getName() + " limits nothing: none of its methods is public or a handler");
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
