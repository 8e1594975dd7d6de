package io.headgate.spring.method;

import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Puts the limits of a bean before what others have put before them since, such as {@code @Async}: a call is refused to whoever
 * makes it, and not on another thread. Has no order, and so comes after all who have one.
 */
public final class Outermost implements BeanPostProcessor {

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof Advised advised && !advised.isFrozen()) {
            Advisor[] advisors = advised.getAdvisors();
            for (int i = 1; i < advisors.length; i++) {
                if (advisors[i].getAdvice() instanceof LimitedCalls) {
                    advised.removeAdvisor(i);
                    advised.addAdvisor(0, advisors[i]);
                }
            }
        }
        return bean;
    }
}
