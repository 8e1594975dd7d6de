package io.headgate.benchmarks.served;

import javax.cache.configuration.MutableConfiguration;
import org.springframework.boot.cache.autoconfigure.JCacheManagerCustomizer;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.Bean;

/** The JSR 107 cache that the starter of Bucket4j needs, beside its settings, for its buckets. */
@EnableCaching
class StarterCache {

    @Bean
    JCacheManagerCustomizer buckets() {
        return caches -> caches.createCache("buckets", new MutableConfiguration<>());
    }
}
