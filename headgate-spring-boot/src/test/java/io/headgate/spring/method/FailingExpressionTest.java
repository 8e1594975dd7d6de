package io.headgate.spring.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.headgate.spring.RateLimit;
import io.headgate.spring.RateLimitExceededException;
import io.headgate.spring.boot.autoconfigure.HeadgateAutoConfiguration;
import io.headgate.spring.boot.autoconfigure.HeadgateMethodAutoConfiguration;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Keys and costs that cannot be evaluated: reported at start-up if that can be known, else in the log when it happens. */
@ExtendWith(OutputCaptureExtension.class)
class FailingExpressionTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(HeadgateAutoConfiguration.class, HeadgateMethodAutoConfiguration.class));

    @Test
    void stopsTheStartWhereNoArgumentCanHaveIt() {
        rejected(KeyOfARecord.class, "'#user.nmae' refers to property nmae of " + User.class.getTypeName());
        rejected(CostOfARecord.class, "'#user.agee' refers to ");
        rejected(CostOfAText.class, "a cost must be a number, but '#name' is a java.lang.String");
        rejected(CostBelowOne.class, "a cost must be at least 1, not -1");
        rejected(CostBeyondNumbers.class, "can never be granted");
    }

    private void rejected(Class<?> service, String problem) {
        application
                .withBean(service)
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining(problem));
    }

    /** A value may be of a class that has more than its declared one. */
    @Test
    void warnsAtTheStartWhereAnArgumentMayHaveIt(CapturedOutput log) {
        application.withBean(OfAnOpenClass.class).run(context -> {
            assertThat(log)
                    .containsOnlyOnce("'#account.owner' refers to property owner of " + Account.class.getTypeName())
                    .containsOnlyOnce("'#account.toString()' refers to method toString");
            OfAnOpenClass service = context.getBean(OfAnOpenClass.class);
            service.call(new Owned());
            assertDenied(() -> service.call(new Owned()));
        });
    }

    @Test
    void saysInTheLogThatAKeyOrCostCannotBeHad(CapturedOutput log) {
        application.withBean(OfAnOpenClass.class).run(context -> {
            OfAnOpenClass service = context.getBean(OfAnOpenClass.class);
            service.call(new Account());
            assertDenied(() -> service.call(new Account()));
            service.costly("secret");
            service.costly("secret");
            assertThat(log)
                    .containsOnlyOnce("OfAnOpenClass#call: the key '#account.owner' cannot be evaluated")
                    .containsOnlyOnce("OfAnOpenClass#costly: the cost '#size' cannot be evaluated")
                    .doesNotContain("secret");
        });
    }

    @Test
    void roundsCostsAgainstTheCaller() {
        application.withBean(Costs.class).run(context -> {
            Costs costs = context.getBean(Costs.class);
            assertThat(granted(() -> costs.constant())).isEqualTo(3);
            assertThat(granted(() -> costs.of(2.1))).isEqualTo(3);
            assertThat(granted(() -> costs.ofDecimal(new BigDecimal("4.000001"))))
                    .isEqualTo(2);
            assertThat(granted(() -> costs.ofInteger(BigInteger.TWO.pow(64).add(BigInteger.ONE))))
                    .isZero();
        });
    }

    private static int granted(Runnable call) {
        int granted = 0;
        for (int i = 0; i < 10; i++) {
            try {
                call.run();
                granted++;
            } catch (RateLimitExceededException e) {
                break;
            }
        }
        return granted;
    }

    /** An annotation may be written where arguments have other names. */
    @Test
    void knowsArgumentsByTheNamesBesideTheAnnotation() {
        application.withBean(Renamed.class).run(context -> {
            assertThat(context).hasNotFailed();
            Renamed service = context.getBean(Renamed.class);
            service.save("ann");
            service.save("bob");
            assertDenied(() -> service.save("ann"));
            service.find("ann");
            assertDenied(() -> service.find("ann"));
        });
    }

    @Test
    void rejectsOneBudgetForTwoMethodsOfTheSameSimpleTypes() {
        application
                .withBean(Dates.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("its budget would be shared")
                        .hasMessageContaining("Dates#on(Date)"));
    }

    private static void assertDenied(Runnable call) {
        assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(call::run);
    }

    record User(String id, int age) {}

    static class Account {}

    static class Owned extends Account {
        public String getOwner() {
            return "ann";
        }
    }

    static class KeyOfARecord {
        @RateLimit(value = "1/h", key = "#user.nmae")
        public void call(User user) {}
    }

    static class CostOfARecord {
        @RateLimit(value = "1/h", cost = "#user.agee")
        public void call(User user) {}
    }

    static class CostOfAText {
        @RateLimit(value = "1/h", cost = "#name")
        public void call(String name) {}
    }

    static class CostBelowOne {
        @RateLimit(value = "1/h", cost = "-1")
        public void call() {}
    }

    static class CostBeyondNumbers {
        @RateLimit(value = "1/h", cost = "99999999999999999999")
        public void call() {}
    }

    static class OfAnOpenClass {

        @RateLimit(value = "1/h", key = "#account.toString()")
        public void text(Account account) {}

        @RateLimit(value = "1/h", key = "#account.owner")
        public void call(Account account) {}

        @RateLimit(value = "5/h", cost = "#size")
        public void costly(Object size) {}
    }

    static class Costs {
        @RateLimit(value = "10/h", cost = "2.9")
        public void constant() {}

        @RateLimit(value = "10/h", cost = "#size")
        public void of(double size) {}

        @RateLimit(value = "10/h", cost = "#size")
        public void ofDecimal(BigDecimal size) {}

        @RateLimit(value = "10/h", cost = "#size")
        public void ofInteger(BigInteger size) {}
    }

    interface Finds {
        @RateLimit(value = "1/h", key = "#userId")
        void find(String userId);
    }

    abstract static class Saves<T> {
        @RateLimit(value = "1/h", key = "#entity")
        public void save(T entity) {}
    }

    static class Renamed extends Saves<String> implements Finds {
        @Override
        public void find(String id) {}

        @Override
        public void save(String name) {}
    }

    static class Dates {
        @RateLimit("1/h")
        public void on(java.util.Date date) {}

        @RateLimit("1/h")
        public void on(java.sql.Date date) {}
    }
}
