package io.headgate.spring.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.headgate.spring.RateLimit;
import io.headgate.spring.RateLimitExceededException;
import io.headgate.spring.boot.autoconfigure.HeadgateAutoConfiguration;
import io.headgate.spring.boot.autoconfigure.HeadgateMethodAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What is called instead of a denied method is never the method itself. */
class FallbackTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(HeadgateAutoConfiguration.class, HeadgateMethodAutoConfiguration.class));

    @Test
    void ofAWholeTypeIsLimitedItselfWithoutOne() {
        application.withBean(Typed.class).run(context -> {
            Typed typed = context.getBean(Typed.class);
            assertThat(typed.call()).isEqualTo("ok");
            assertThat(typed.call()).isEqualTo("busy");
            assertThat(typed.busy()).isEqualTo("busy");
            assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(typed::busy);
        });
    }

    @Test
    void ofItselfIsRejected() {
        application
                .withBean(Circular.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .isInstanceOf(InvalidLimitException.class)
                        .hasMessageContaining("cannot be its own fallback"));
    }

    @RateLimit(value = "1/h", fallback = "busy")
    static class Typed {

        public String call() {
            return "ok";
        }

        public String busy() {
            return "busy";
        }
    }

    static class Circular {

        @RateLimit(value = "1/h", fallback = "call")
        public String call() {
            return "ok";
        }
    }
}
