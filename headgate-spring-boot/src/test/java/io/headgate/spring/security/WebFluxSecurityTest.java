package io.headgate.spring.security;

import io.headgate.spring.Running;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

/** WebFlux on Reactor Netty. */
class WebFluxSecurityTest extends SecuritySuite {

    @Override
    Running start(String... properties) {
        return Running.reactive(Application.class, with(Running.WITHOUT_SPRING_SECURITY, properties));
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Api.class, Time.class})
    static class Application {}
}
