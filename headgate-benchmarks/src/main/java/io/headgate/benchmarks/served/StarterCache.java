package io.headgate.benchmarks.served;

import javax.cache.configuration.MutableConfiguration;
import org.springframework.boot.cache.autoconfigure.JCacheManagerCustomizer;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.Bean;

/** What the starter of Bucket4j wants beside its settings: a cache of JSR 107 that its buckets are in. */
@EnableCaching
class StarterCache {

    @Bean
    JCacheManagerCustomizer buckets() {
        return caches -> caches.createCache("buckets", new MutableConfiguration<>());
    }
}
