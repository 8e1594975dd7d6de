package io.headgate.spring.line;

import org.springframework.boot.web.embedded.jetty.JettyReactiveWebServerFactory;

/** Jetty under WebFlux. */
public class JettyReactive extends JettyReactiveWebServerFactory {}
