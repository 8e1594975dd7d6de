package io.headgate.spring.method;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.spring.RateLimit;
import io.headgate.spring.boot.autoconfigure.HeadgateAutoConfiguration;
import io.headgate.spring.boot.autoconfigure.HeadgateMethodAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Annotations that are wrong stop the start-up, and those that limit nothing are warned of. */
@ExtendWith(OutputCaptureExtension.class)
class LimitMistakesTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(HeadgateAutoConfiguration.class, HeadgateMethodAutoConfiguration.class))
            .withPropertyValues(
                    "headgate.rules[0].name=shared", "headgate.rules[0].path=/shared", "headgate.rules[0].limits=1/h");

    @Test
    void stopsOnWhatCannotBeRight() {
        rejected(UnknownArgument.class, "#usr", "not an argument", "#user");
        rejected(UnknownRule.class, "no rule is called 'nowhere'", "[shared]");
        rejected(NoFallback.class, "no method elsewhere");
        rejected(BadLimit.class, "10/fortnight");
        rejected(Beans.class, "@secret", "only the arguments");
        rejected(NoExpression.class, "not an expression");
        rejected(BlankExpression.class, "' ' is not an expression");
        rejected(NoUnit.class, "limit '3 per 60', column 9: expected a unit of time");
    }

    @Test
    void warnsOfWhatLimitsNothing(CapturedOutput output) {
        with(
                Useless.class,
                useless -> assertThat(output)
                        .contains("Useless#hidden limits nothing", "private")
                        .contains("Useless#common limits nothing")
                        .contains("Useless#last limits nothing")
                        .doesNotContain("Useless#call"));
        with(
                UselessInPart.class,
                useless -> assertThat(output)
                        .contains("UselessInPart#last limits nothing")
                        .doesNotContain("UselessInPart#common")
                        .doesNotContain("UselessInPart#call"));
        with(
                UselessAltogether.class,
                useless -> assertThat(output)
                        .contains("UselessAltogether limits nothing: it has no public method or handler to limit"));
    }

    @Test
    void saysWhoWantsAProxyOfAClassThatCanHaveNone() {
        application
                .withBean(Last.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .cause()
                        .isInstanceOf(InvalidLimitException.class)
                        .hasMessageStartingWith("@RateLimit on " + Last.class.getName())
                        .hasMessageContaining("final class"));
    }

    @Test
    void rejectsTwoClassesOfOneNameWithoutNamesOfTheirOwn() {
        application.withBean(Here.Orders.class).withBean(There.Orders.class).run(context -> {
            assertThat(context).hasFailed();
            assertThat(context.getStartupFailure())
                    .isInstanceOf(InvalidLimitException.class)
                    .hasMessageContaining("same simple name; give the annotation a name");
        });
    }

    /** Each call would rewrite what the other has left of the budget. */
    @Test
    void rejectsOneNameForTwoBudgets() {
        application
                .withBean(Sharing.class)
                .withBean(OtherNumber.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .isInstanceOf(InvalidLimitException.class)
                        .hasMessageContainingAll(
                                "'both'",
                                "[2/h token-bucket]",
                                "Sharing#call",
                                "[3/h token-bucket]",
                                "OtherNumber#call"));
        application
                .withBean(Sharing.class)
                .withBean(OtherAlgorithm.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .isInstanceOf(InvalidLimitException.class)
                        .hasMessageContainingAll("'both'", "[2/h token-bucket]", "[2/h sliding-window]"));
        rejected(NamedTwice.class, "two annotations have the name 'both'", "charged twice");
    }

    private <T> void with(Class<T> type, java.util.function.Consumer<T> test) {
        application.withBean(type).run(context -> {
            assertThat(context).hasNotFailed();
            test.accept(context.getBean(type));
        });
    }

    private void rejected(Class<?> type, String... said) {
        application.withBean(type).run(context -> {
            assertThat(context).hasFailed();
            assertThat(context.getStartupFailure()).isInstanceOf(InvalidLimitException.class);
            assertThat(context.getStartupFailure().getMessage()).contains(said);
        });
    }

    static class Sharing {

        @RateLimit(value = "2/h", name = "both")
        public void call() {}
    }

    static class OtherNumber {

        @RateLimit(value = "3/h", name = "both")
        public void call() {}
    }

    static class OtherAlgorithm {

        @RateLimit(value = "2/h", algorithm = "sliding-window", name = "both")
        public void call() {}
    }

    static class NamedTwice {

        @RateLimit(value = "2/h", name = "both")
        @RateLimit(value = "2/h", name = "both", key = "#user")
        public void call(String user) {}
    }

    static class Here {
        static class Orders {
            @RateLimit("1/h")
            void list() {}
        }
    }

    static class There {
        static class Orders {
            @RateLimit("1/h")
            void list() {}
        }
    }

    static class UnknownArgument {

        @RateLimit(key = "#usr")
        public void call(String user) {}
    }

    static class UnknownRule {

        @RateLimit(rule = "nowhere")
        public void call() {}
    }

    static class NoFallback {

        @RateLimit(fallback = "elsewhere")
        public void call() {}
    }

    static class BadLimit {

        @RateLimit("10/fortnight")
        public void call() {}
    }

    static class Beans {

        @RateLimit(key = "@secret.of('all')")
        public void call() {}
    }

    static class NoExpression {

        @RateLimit(key = "#user.")
        public void call(String user) {}
    }

    static class BlankExpression {

        @RateLimit(key = " ")
        public void call(String user) {}
    }

    static class NoUnit {

        @RateLimit(limit = 3, window = "60")
        public void call() {}
    }

    static class Useless {

        public void call() {
            hidden();
        }

        @RateLimit
        private void hidden() {}

        @RateLimit
        public static void common() {}

        @RateLimit
        public final void last() {}
    }

    @RateLimit
    static class UselessInPart {

        public void call() {}

        public static void common() {}

        public final void last() {}
    }

    @RateLimit
    static class UselessAltogether {

        void call() {}
    }

    static final class Last {

        @RateLimit
        public void call() {}
    }
}
