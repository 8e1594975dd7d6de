package io.headgate.spring.line;

import org.springframework.boot.tomcat.autoconfigure.reactive.TomcatReactiveWebServerAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Tomcat under WebFlux. */
@Configuration(proxyBeanMethods = false)
@Import(TomcatReactiveWebServerAutoConfiguration.class)
public class TomcatReactive {}
