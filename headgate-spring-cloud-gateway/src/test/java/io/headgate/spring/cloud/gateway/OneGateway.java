package io.headgate.spring.cloud.gateway;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;

/** Gives an application only the gateway that it is to be: both are on the class path of these tests, of an application only one. */
final class OneGateway implements AutoConfigurationImportFilter, EnvironmentAware {

    private String other = "none";

    @Override
    public void setEnvironment(Environment environment) {
        other = "servlet".equals(environment.getProperty("spring.main.web-application-type"))
                ? "org.springframework.cloud.gateway.config."
                : "org.springframework.cloud.gateway.server.mvc.";
    }

    @Override
    public boolean[] match(@Nullable String[] configurations, AutoConfigurationMetadata metadata) {
        boolean[] matches = new boolean[configurations.length];
        for (int i = 0; i < matches.length; i++) {
            String configuration = configurations[i];
            matches[i] = configuration != null && !configuration.startsWith(other);
        }
        return matches;
    }
}
