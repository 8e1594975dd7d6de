package io.headgate.spring.line;

import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;

/** Jetty under MVC. */
public class JettyServlet extends JettyServletWebServerFactory {}
