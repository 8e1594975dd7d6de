package io.headgate.spring.security;

import io.headgate.spring.Running;
import io.headgate.spring.line.JettyServlet;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** Spring MVC on Jetty. */
class MvcOnJettySecurityTest extends SecuritySuite {

    @Override
    Running start(String... properties) {
        return Running.servlet(Application.class, with(Running.WITHOUT_SPRING_SECURITY, properties));
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Api.class, Time.class})
    static class Application {

        @Bean
        JettyServlet server(@Value("${server.forward-headers-strategy:none}") String strategy) {
            JettyServlet factory = new JettyServlet();
            factory.setUseForwardHeaders(strategy.equals("native"));
            return factory;
        }
    }
}
