package io.headgate.spring.line;

import org.springframework.boot.web.embedded.jetty.JettyServletWebServerFactory;

/** Jetty under MVC. */
public class JettyServlet extends JettyServletWebServerFactory {}
