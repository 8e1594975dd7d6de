package io.headgate.spring.security;

import io.headgate.spring.Running;

/** Attacks on WebFlux, with the counts in memory. */
class WebFluxAbuseTest extends AbuseSuite {

    @Override
    String name() {
        return "WebFlux, memory";
    }

    @Override
    Running start(String... properties) {
        return Running.reactive(WebFluxSecurityTest.Application.class, properties);
    }

    @Override
    int flood() {
        return super.flood() / 5;
    }
}
