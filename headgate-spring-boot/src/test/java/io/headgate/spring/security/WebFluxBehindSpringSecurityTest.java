package io.headgate.spring.security;

import io.headgate.spring.Running;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.server.SecurityWebFilterChain;

/** WebFlux on Reactor Netty, behind the filters of Spring Security, which let everybody in. */
class WebFluxBehindSpringSecurityTest extends SecuritySuite {

    @Override
    Running start(String... properties) {
        return Running.reactive(Application.class, properties);
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Api.class, Time.class})
    static class Application {

        @Bean
        SecurityWebFilterChain security(ServerHttpSecurity http) {
            return http.authorizeExchange(exchanges -> exchanges.anyExchange().permitAll())
                    .csrf(csrf -> csrf.disable())
                    .build();
        }
    }
}
