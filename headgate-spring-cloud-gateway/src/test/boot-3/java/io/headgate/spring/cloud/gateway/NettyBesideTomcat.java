package io.headgate.spring.cloud.gateway;

import java.time.Duration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.web.reactive.ReactiveWebServerFactoryAutoConfiguration;
import org.springframework.boot.web.embedded.netty.NettyReactiveWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.http.client.ReactorResourceFactory;

/**
 * Reactor Netty under the WebFlux gateway, as in an application that is only that: with Tomcat on the class path, which the other
 * gateway brings, Spring Boot 3 would take that.
 */
@AutoConfiguration(before = ReactiveWebServerFactoryAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
public class NettyBesideTomcat {

    /** Ends at once, which Spring Boot 4 has a property for. */
    @Bean
    ReactorResourceFactory reactorResources() {
        ReactorResourceFactory resources = new ReactorResourceFactory();
        resources.setShutdownQuietPeriod(Duration.ZERO);
        return resources;
    }

    @Bean
    NettyReactiveWebServerFactory server(ReactorResourceFactory resources) {
        NettyReactiveWebServerFactory server = new NettyReactiveWebServerFactory();
        server.setResourceFactory(resources);
        return server;
    }
}
