package io.headgate.spring.line;

import java.time.Duration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.web.reactive.ReactiveWebServerFactoryAutoConfiguration;
import org.springframework.boot.web.embedded.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.reactive.server.ReactiveWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.http.client.ReactorResourceFactory;

/** Reactor Netty under WebFlux, as on Spring Boot 4: with Tomcat on the class path, Spring Boot 3 would take that. */
@AutoConfiguration(before = ReactiveWebServerFactoryAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
public class NettyUnlessAsked {

    /** Ends at once, which Spring Boot 4 has a property for, and does not end the servers of other applications of this JVM. */
    @Bean
    ReactorResourceFactory reactorResources() {
        ReactorResourceFactory resources = new ReactorResourceFactory();
        resources.setUseGlobalResources(false);
        resources.setShutdownQuietPeriod(Duration.ZERO);
        return resources;
    }

    @Bean
    @ConditionalOnMissingBean(ReactiveWebServerFactory.class)
    NettyReactiveWebServerFactory server(ReactorResourceFactory resources) {
        NettyReactiveWebServerFactory server = new NettyReactiveWebServerFactory();
        server.setResourceFactory(resources);
        return server;
    }
}
