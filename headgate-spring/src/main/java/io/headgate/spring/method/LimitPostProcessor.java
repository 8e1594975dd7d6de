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
import org.springframework.core.KotlinDetector;
import org.springframework.core.Ordered;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Advises every bean that has a limited method with {@link LimitedCalls}, outside of transactions and caches. An invalid annotation
 * stops the start-up, or fails the creation of the first such bean if that comes later. An annotation that has no effect is logged as a
 * warning.
 */
public final class LimitPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor
        implements SmartInitializingSingleton {

    private static final long serialVersionUID = 1L;

    private static final Log LOG = LogFactory.getLog("io.headgate");

    private final transient Supplier<MethodLimits> limits;
    private final transient LimitedCalls calls;
    private final transient Map<Class<?>, Boolean> readable = new ConcurrentHashMap<>();
    private final transient Set<Class<?>> inspected = ConcurrentHashMap.newKeySet();
    private final transient Set<Class<?>> limited = ConcurrentHashMap.newKeySet();
    private transient volatile boolean started;

    private final boolean web;

    /**
     * The suppliers are called on first use, because post-processors are created before the beans they need.
     *
     * @param threads runs calls that return a future and had to wait for their decision
     * @param web whether the limits of handlers are checked on the request
     */
    public LimitPostProcessor(Supplier<MethodLimits> limits, Supplier<Executor> threads, boolean web) {
        this.limits = limits;
        this.calls = new LimitedCalls(limits, threads);
        this.web = web;
        setProxyTargetClass(true);
        setBeforeExistingAdvisors(true);
        // Just before the post-processors that register methods as callbacks, such as listeners of queues, so that they
        // register the methods of the limited bean.
        setOrder(Ordered.LOWEST_PRECEDENCE - 1);
        this.advisor = before(AnnotatedInterfaces.NONE);
    }

    private Advisor before(AnnotatedInterfaces contracts) {
        Pointcut limitedMethods = new StaticMethodMatcherPointcut() {
            @Override
            public boolean matches(Method method, Class<?> type) {
                return contracts.limited().containsKey(method) || isLimitedOnCall(AnnotatedMethod.by(type, method));
            }
        };
        return new DefaultPointcutAdvisor(limitedMethods, calls.under(contracts));
    }

    /** A handler whose limits are all checked on the request needs no proxy, and for some classes none can be created. */
    private boolean isLimitedOnCall(AnnotatedMethod declared) {
        List<RateLimit> limits = declared.annotations();
        return !limits.isEmpty() && !(web && Annotations.areOnRequest(limits, declared.method(), declared.type()));
    }

    /** A bean with two names is processed twice, but must charge each call only once. */
    private static boolean isLimited(Object bean) {
        return bean instanceof Advised advised
                && Arrays.stream(advised.getAdvisors()).anyMatch(each -> each.getAdvice() instanceof LimitedCalls);
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        boolean inspectable = !isLimited(bean)
                && readable.computeIfAbsent(AopUtils.getTargetClass(bean), LimitPostProcessor::canBeRead);
        return inspectable ? limitIfAnnotated(bean, beanName) : bean;
    }

    /** Beans of libraries may refer in signatures to classes that are not on the class path, as long as nobody calls those methods. */
    static boolean canBeRead(Class<?> type) {
        try {
            ReflectionUtils.getUniqueDeclaredMethods(type);
            return true;
        } catch (IllegalStateException | LinkageError e) {
            LOG.debug("the methods of " + type.getName() + " cannot be read, so none of them is limited", e);
            return false;
        }
    }

    private Object limitIfAnnotated(Object bean, String beanName) {
        AnnotatedInterfaces contracts =
                bean instanceof AopInfrastructureBean ? AnnotatedInterfaces.NONE : AnnotatedInterfaces.of(bean);
        contracts.types().forEach(each -> {
            inspect(each);
            warnOfReplaced(each, contracts);
        });
        Class<?> type = ClassUtils.getUserClass(AopUtils.getTargetClass(bean));
        if (!AnnotatedInterfaces.isGenerated(type) && !AnnotatedInterfaces.isSpringType(type)) {
            inspect(type);
        }
        try {
            return contracts.limited().isEmpty()
                    ? super.postProcessAfterInitialization(bean, beanName)
                    : limited(bean, before(contracts));
        } catch (AopConfigException e) {
            String inKotlin = KotlinDetector.isKotlinType(type)
                    ? "; in Kotlin, declare it open, or use the compiler plugin kotlin-spring"
                    : "";
            throw new InvalidLimitException(
                    type,
                    "calls are limited by a proxy, and this class cannot have one: " + e.getMessage() + inKotlin,
                    e);
        }
    }

    /** Inspects each type once: beans in a scope such as a request are created again and again. */
    private void inspect(Class<?> type) {
        if (inspected.add(type) && hasLimits(type)) {
            limited.add(type);
            warnOfIneffective(type);
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

    private void warnOfIneffective(Class<?> type) {
        boolean noneLimited = true;
        for (Method method : ReflectionUtils.getUniqueDeclaredMethods(type)) {
            List<RateLimit> limits = Annotations.of(method, type);
            noneLimited &= limits.isEmpty();
            if (limits.isEmpty() || (web && Annotations.areOnRequest(limits, method, type))) {
                continue;
            }
            boolean byItsType = Annotations.on(method).isEmpty();
            if (!Annotations.canBeIntercepted(method) && !(byItsType && Modifier.isStatic(method.getModifiers()))) {
                LOG.warn("@RateLimit on " + type.getName() + "#" + method.getName()
                        + " limits nothing: a proxy cannot intercept private, static or final methods; "
                        + "limit an instance method that is neither private nor final");
            }
        }
        if (noneLimited) {
            LOG.warn(
                    "@RateLimit on " + type.getName() + " limits nothing: it has no public method or handler to limit");
        }
    }

    private static void warnOfReplaced(Class<?> type, AnnotatedInterfaces contracts) {
        for (Method method : type.getMethods()) {
            AnnotatedMethod applied = contracts.limited().get(method);
            if (applied != null
                    && applied.type() != type
                    && !applied.method().equals(method)
                    && !method.isBridge()
                    && !Annotations.of(method, type).isEmpty()) {
                LOG.warn("@RateLimit on " + type.getName() + "#" + method.getName()
                        + " limits nothing on a bean that also implements "
                        + applied.type().getName() + ": the limits of that interface on the same method apply instead");
            }
        }
    }

    @Override
    public void afterSingletonsInstantiated() {
        started = true;
        limited.forEach(this::read);
    }

    /** Reads the limits of the methods that are limited, and so counts them. */
    private void read(Class<?> type) {
        for (Method method : ReflectionUtils.getUniqueDeclaredMethods(type)) {
            List<RateLimit> written = method.isBridge() ? List.of() : Annotations.of(method, type);
            boolean onRequest = web && Annotations.areOnRequest(written, method, type);
            if (!written.isEmpty() && (onRequest || Annotations.canBeIntercepted(method))) {
                limits.get().of(new AnnotatedMethod(method, type));
            }
        }
    }
}
