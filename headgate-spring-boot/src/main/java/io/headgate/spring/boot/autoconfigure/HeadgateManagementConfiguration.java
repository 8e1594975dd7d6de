package io.headgate.spring.boot.autoconfigure;

import io.headgate.http.Answers;
import io.headgate.http.Gate;
import io.headgate.spring.RuleStore;
import io.headgate.spring.servlet.GateFilter;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextType;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.web.servlet.DispatcherServlet;

/** Registers the filter again for actuator endpoints on their own port, because a filter belongs to one server. */
@ManagementContextConfiguration(value = ManagementContextType.CHILD, proxyBeanMethods = false)
@ConditionalOnEnabled
@ConditionalOnClass(DispatcherServlet.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBean(Gate.class)
public final class HeadgateManagementConfiguration {

    @Bean
    FilterRegistrationBean<GateFilter> headgateManagementFilter(
            RuleStore rules, Gate gate, Answers answers, HeadgateProperties properties, BeanFactory beans) {
        return HeadgateServletAutoConfiguration.filter(rules, gate, answers, properties, beans);
    }
}
