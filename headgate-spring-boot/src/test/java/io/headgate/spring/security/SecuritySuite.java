package io.headgate.spring.security;

import io.headgate.spring.RateLimit;
import io.headgate.spring.RuleLines;
import io.headgate.spring.Running;
import io.headgate.testkit.ManualTime;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The ways around a limiter, over sockets: use up the limit, try the trick, be limited still. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SecuritySuite implements PathTricks, MethodTricks, SubjectTricks, KeyTricks, AnswerTricks {

    private Running running;

    /** An application with {@link Api} and {@link Time}. */
    abstract Running start(String... properties);

    static String[] with(String property, String... properties) {
        return Stream.concat(Stream.of(property), Stream.of(properties)).toArray(String[]::new);
    }

    @BeforeAll
    void startApplication() {
        running = start(new RuleLines()
                .rule("login", "/api/login", "methods=GET", "limits=1/h")
                .rule("any", "/any", "limits=1/h")
                .rule("deep", "/deep/**", "limits=1/h")
                .rule("open", "/open/**", "exclude=/open/health", "limits=1/h")
                .rule("keyed", "/keyed", "subject=api-key", "limits=1/h")
                .rule("keyed-too", "/keyed-too", "subject=api-key", "limits=1/h")
                .rule("pair", "/pair", "subject=header:A + header:B", "limits=1/h")
                .rule("bearer", "/bearer", "subject=bearer", "limits=1/h")
                .rule("wait", "/wait", "limits=7/min burst 1")
                .and("headgate.trusted-proxies=127.1.0.0/16"));
    }

    @AfterAll
    void stopApplication() {
        running.close();
    }

    @Override
    public Running application() {
        return running;
    }

    /** Nothing is given back unless a test says so. */
    @Configuration(proxyBeanMethods = false)
    static class Time {

        @Bean
        ManualTime time() {
            return new ManualTime();
        }
    }

    /** What is served. */
    @Import(Two.class)
    @RestController
    static class Api {

        @GetMapping({
            "/api/login",
            "/deep/{*rest}",
            "/open/health",
            "/open/secret",
            "/keyed",
            "/keyed-too",
            "/pair",
            "/bearer",
            "/wait",
            "/free"
        })
        String serve() {
            return SERVED;
        }

        @RequestMapping("/any")
        String any() {
            return SERVED;
        }
    }

    /** One handler with two paths. */
    @RestController
    static class Two {

        @RateLimit("1/h")
        @GetMapping({"/two/a", "/two/b"})
        String two() {
            return SERVED;
        }
    }
}
