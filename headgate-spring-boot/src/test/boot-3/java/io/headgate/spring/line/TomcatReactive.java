package io.headgate.spring.line;

import org.springframework.boot.web.embedded.tomcat.TomcatReactiveWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Tomcat under WebFlux. */
@Configuration(proxyBeanMethods = false)
public class TomcatReactive {

    @Bean
    TomcatReactiveWebServerFactory server() {
        return new TomcatReactiveWebServerFactory();
    }
}
