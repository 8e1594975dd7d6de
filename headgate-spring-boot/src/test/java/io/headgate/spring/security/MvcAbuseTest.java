package io.headgate.spring.security;

import io.headgate.spring.Running;

/** Attacks on Spring MVC, with the counts in memory. */
class MvcAbuseTest extends AbuseSuite {

    @Override
    String name() {
        return "MVC, memory";
    }

    @Override
    Running start(String... properties) {
        return Running.servlet(MvcSecurityTest.Application.class, properties);
    }
}
