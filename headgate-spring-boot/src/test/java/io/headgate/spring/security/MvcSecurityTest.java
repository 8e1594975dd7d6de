package io.headgate.spring.security;

import io.headgate.spring.Running;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

/** Spring MVC on Tomcat. */
class MvcSecurityTest extends SecuritySuite {

    @Override
    Running start(String... properties) {
        return Running.servlet(Application.class, with(Running.WITHOUT_SPRING_SECURITY, properties));
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Api.class, Time.class})
    static class Application {}
}
