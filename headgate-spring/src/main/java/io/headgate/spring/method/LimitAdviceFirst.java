package io.headgate.spring.method;

import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Moves the advice that limits a bean before the advices that other post-processors have since put in front of it, such as that of
 * {@code @Async}: a call is denied on the thread of its caller, not on another one. Has no order and therefore runs after all ordered
 * post-processors.
 */
public final class LimitAdviceFirst implements BeanPostProcessor {

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
