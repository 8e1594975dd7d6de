package io.headgate.spring.boot.autoconfigure;

import io.headgate.FailurePolicy;
import io.headgate.http.Gate;
import io.headgate.http.LedgerFactory;
import io.headgate.http.Subject;
import io.headgate.http.Subjects;
import io.headgate.spring.CurrentRequest;
import io.headgate.spring.MethodKeyResolver;
import io.headgate.spring.RuleStore;
import io.headgate.spring.method.LimitAdviceFirst;
import io.headgate.spring.method.LimitPostProcessor;
import io.headgate.spring.method.LimitReader;
import io.headgate.spring.method.MethodLimits;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.util.ClassUtils;

/** Applies {@code @RateLimit} to the methods of beans. */
@AutoConfiguration(after = HeadgateAutoConfiguration.class)
@ConditionalOnEnabled
@ConditionalOnClass(AbstractBeanFactoryAwareAdvisingPostProcessor.class)
@ConditionalOnBean(RuleStore.class)
public final class HeadgateMethodAutoConfiguration {

    private static final String APPLICATION_TASKS = TaskExecutionAutoConfiguration.APPLICATION_TASK_EXECUTOR_BEAN_NAME;

    @Bean
    @ConditionalOnMissingBean
    MethodKeyResolver headgateMethodKeys() {
        Subject everybody = Subject.of("global", "*");
        return (method, arguments) -> everybody;
    }

    @Bean
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT) // a parent context may not be a web application
    MethodLimits headgateMethodLimits(
            RuleStore rules,
            Subjects subjects,
            LedgerFactory limiters,
            FailurePolicy policy,
            MethodKeyResolver keys,
            Gate gate,
            HeadgateProperties properties,
            ObjectProvider<CurrentRequest.Source> current,
            ApplicationContext context) {
        CurrentRequest.Source requests = current.getIfAvailable(() -> CurrentRequest.Source.NONE);
        LimitReader reader = new LimitReader(
                rules, subjects, limiters, policy, properties.algorithm(), keys, requests.readsRequests());
        return new MethodLimits(
                reader, context.getEnvironment()::resolveRequiredPlaceholders, requests, gate, isWeb(context));
    }

    private static boolean isWeb(ApplicationContext context) {
        return is(context, "org.springframework.web.context.WebApplicationContext")
                || is(context, "org.springframework.boot.web.context.reactive.ReactiveWebApplicationContext")
                || is(context, "org.springframework.boot.web.reactive.context.ReactiveWebApplicationContext"); // Boot 3
    }

    private static boolean is(ApplicationContext context, String type) {
        ClassLoader loader = context.getClassLoader();
        return ClassUtils.isPresent(type, loader)
                && ClassUtils.resolveClassName(type, loader).isInstance(context);
    }

    @Bean
    static LimitPostProcessor headgateLimitPostProcessor(
            ObjectProvider<MethodLimits> limits, BeanFactory beans, ApplicationContext context) {
        return new LimitPostProcessor(limits::getObject, () -> threads(beans), isWeb(context));
    }

    @Bean
    static LimitAdviceFirst headgateLimitAdviceFirst() {
        return new LimitAdviceFirst();
    }

    /** The application's task executor, whose threads are set up for its code; else the common pool, whose threads are not. */
    private static Executor threads(BeanFactory beans) {
        return beans.containsBean(APPLICATION_TASKS)
                ? beans.getBean(APPLICATION_TASKS, Executor.class)
                : ForkJoinPool.commonPool();
    }
}
