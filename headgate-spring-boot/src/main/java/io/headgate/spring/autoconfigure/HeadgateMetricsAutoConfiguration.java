package io.headgate.spring.autoconfigure;

import io.headgate.memory.MemoryStore;
import io.headgate.spring.actuate.DecisionMetrics;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Counts of decisions, and how many keys are held, for whoever has a registry of meters. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
@ConditionalOnBooleanProperty(name = "headgate.enabled", matchIfMissing = true)
public final class HeadgateMetricsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    DecisionMetrics headgateMetrics(ObjectProvider<MeterRegistry> registry) {
        return new DecisionMetrics(registry::getObject);
    }

    @Bean
    MeterBinder headgateStoreMetrics(ObjectProvider<MemoryStore> stores) {
        return registry -> stores.ifAvailable(store -> Gauge.builder("headgate.keys", store, MemoryStore::keys)
                .description("Keys held in memory")
                .register(registry));
    }
}
