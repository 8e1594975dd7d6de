package io.headgate.spring.line;

import org.springframework.boot.jetty.reactive.JettyReactiveWebServerFactory;

/** Jetty under WebFlux. */
public class JettyReactive extends JettyReactiveWebServerFactory {}
