package io.headgate.spring.security;

import io.headgate.spring.RuleLines;
import io.headgate.spring.Running;
import java.util.function.BiFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;

/** Known bugs P01 to P17 once more, for rules that are checked before anybody has looked for a handler. */
class FilterStageTest {

    @Nested
    class Mvc extends Suite {
        Mvc() {
            super(Running::servlet);
        }
    }

    @Nested
    class WebFlux extends Suite {
        WebFlux() {
            super(Running::reactive);
        }
    }

    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    abstract static class Suite implements PathTricks {

        private final BiFunction<Class<?>, String[], Running> start;
        private Running running;

        Suite(BiFunction<Class<?>, String[], Running> start) {
            this.start = start;
        }

        @BeforeAll
        void startApplication() {
            running = start.apply(
                    MvcSecurityTest.Application.class,
                    new RuleLines()
                            .rule("login", "/api/login", "stage=filter", "limits=1/h")
                            .rule("deep", "/deep/**", "stage=filter", "limits=1/h")
                            .rule("open", "/open/**", "exclude=/open/health", "stage=filter", "limits=1/h")
                            .and(Running.WITHOUT_SPRING_SECURITY));
        }

        @AfterAll
        void stopApplication() {
            running.close();
        }

        @Override
        public Running application() {
            return running;
        }
    }
}
