package io.headgate.spring.boot.autoconfigure;

import io.headgate.Headgate;
import io.headgate.Store;
import io.headgate.spring.boot.actuate.StoreHealth;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** The health indicator {@code headgate}. */
@AutoConfiguration(after = HeadgateAutoConfiguration.class)
@ConditionalOnEnabled
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean({Headgate.class, Store.class})
@ConditionalOnEnabledHealthIndicator("headgate")
public final class HeadgateHealthAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "headgateHealthIndicator")
    StoreHealth headgateHealthIndicator(Headgate headgate, Store store) {
        return new StoreHealth(headgate, store);
    }
}
