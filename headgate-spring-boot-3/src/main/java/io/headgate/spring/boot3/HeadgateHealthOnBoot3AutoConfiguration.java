package io.headgate.spring.boot3;

import io.headgate.Headgate;
import io.headgate.Store;
import io.headgate.spring.boot.actuate.StoreDetails;
import io.headgate.spring.boot.autoconfigure.HeadgateAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The health indicator {@code headgate}, in the types of Spring Boot 3. */
@AutoConfiguration(after = HeadgateAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean({HeadgateAutoConfiguration.class, Headgate.class, Store.class})
@ConditionalOnEnabledHealthIndicator("headgate")
public final class HeadgateHealthOnBoot3AutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "headgateHealthIndicator")
    HealthIndicator headgateHealthIndicator(Headgate headgate, Store store) {
        return new StoreHealthOnBoot3(new StoreDetails(headgate, store));
    }
}
