package io.headgate.spring.boot.autoconfigure;

import io.headgate.Headgate;
import io.headgate.http.Listeners;
import io.headgate.memory.MemoryStore;
import io.headgate.spring.AnnotatedLimits;
import io.headgate.spring.RuleStore;
import io.headgate.spring.boot.actuate.DecisionMetrics;
import io.headgate.spring.boot.actuate.ListenerMetrics;
import io.headgate.spring.boot.actuate.RuleCounters;
import io.headgate.spring.boot.actuate.StoreMetrics;
import io.headgate.spring.boot.actuate.TimedStore;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

/** Meters for decisions, the store and listeners, if the application has a {@code MeterRegistry}. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
@ConditionalOnEnabled
public final class HeadgateMetricsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    DecisionMetrics headgateMetrics(ObjectProvider<MeterRegistry> registry) {
        return new DecisionMetrics(registry::getObject);
    }

    @Bean
    @Lazy(false) // the counters exist before the first request
    RuleCounters headgateRuleCounters(
            DecisionMetrics metrics, ObjectProvider<RuleStore> rules, ObjectProvider<AnnotatedLimits> annotations) {
        return new RuleCounters(metrics, rules::getIfAvailable, annotations::getIfAvailable);
    }

    @Bean
    @ConditionalOnMissingBean
    StoreMetrics headgateStoreMetrics(ObjectProvider<Headgate> headgate, ObjectProvider<MemoryStore> memory) {
        return new StoreMetrics(headgate::getIfAvailable, memory::getIfAvailable);
    }

    @Bean
    @ConditionalOnMissingBean
    ListenerMetrics headgateListenerMetrics(ObjectProvider<Listeners> listeners) {
        return new ListenerMetrics(listeners::getIfAvailable);
    }

    @Bean
    StoreWatch headgateStoreWatch(ObjectProvider<MeterRegistry> registry) {
        return store -> new TimedStore(store, registry::getObject);
    }
}
