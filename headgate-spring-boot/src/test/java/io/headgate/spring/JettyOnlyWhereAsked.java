package io.headgate.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;

/** Keeps Spring Boot from taking Jetty because it comes first in the alphabet. Applications that want it have a factory. */
final class JettyOnlyWhereAsked implements AutoConfigurationImportFilter {

    @Override
    public boolean[] match(@Nullable String[] configurations, AutoConfigurationMetadata metadata) {
        boolean[] wanted = new boolean[configurations.length];
        for (int i = 0; i < wanted.length; i++) {
            String name = configurations[i];
            wanted[i] = name == null || !name.startsWith("org.springframework.boot.jetty.");
        }
        return wanted;
    }
}
