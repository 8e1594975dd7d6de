package io.headgate.spring.boot.autoconfigure;

import io.headgate.http.Subjects;
import io.headgate.spring.AnnotatedLimits;
import io.headgate.spring.RuleStore;
import io.headgate.spring.boot.actuate.RateLimitsEndpoint;
import io.headgate.spring.boot.actuate.RateLimitsWebExtension;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The actuator endpoint {@code ratelimits}, if it is exposed. */
@AutoConfiguration(after = HeadgateAutoConfiguration.class)
@ConditionalOnEnabled
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnBean(RuleStore.class)
public final class HeadgateActuatorAutoConfiguration {

    @Bean
    @ConditionalOnAvailableEndpoint
    @ConditionalOnMissingBean
    RateLimitsEndpoint headgateEndpoint(
            RuleStore rules, ObjectProvider<AnnotatedLimits> annotations, Subjects subjects) {
        return new RateLimitsEndpoint(rules, annotations.getIfAvailable(() -> List::of), subjects);
    }

    @Bean
    @ConditionalOnBean(RateLimitsEndpoint.class)
    @ConditionalOnAvailableEndpoint(endpoint = RateLimitsEndpoint.class, exposure = EndpointExposure.WEB)
    @ConditionalOnMissingBean
    RateLimitsWebExtension headgateEndpointWebExtension(RateLimitsEndpoint endpoint) {
        return new RateLimitsWebExtension(endpoint);
    }
}
