package io.headgate.spring.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.headgate.Decision;
import io.headgate.spring.RateLimit;
import io.headgate.spring.RateLimitExceededException;
import io.headgate.spring.boot.autoconfigure.HeadgateAutoConfiguration;
import io.headgate.spring.boot.autoconfigure.HeadgateMethodAutoConfiguration;
import io.headgate.spring.method.expression.StableText;
import java.security.Principal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.util.StringUtils;

/** Keys whose text is another for each object: taken as they are, every call would have a budget of its own. */
@ExtendWith(OutputCaptureExtension.class)
class KeyTextTest {

    static final List<Object> WITHOUT_TEXT = Arrays.asList(
            new User(),
            List.of(new User()),
            Map.of("user", new User()),
            Map.of(new User(), 1),
            Optional.of(new User()),
            new User[] {new User()},
            List.of(new int[] {1}),
            List.of(Optional.of(List.of(new User()))),
            proxied(new Entity()),
            List.of(new Authenticated("ann", 1)));

    static final List<Object> WITH_TEXT = Arrays.asList(
            "ann",
            7L,
            List.of("ann", 7),
            Arrays.asList("ann", null),
            Map.of("user", "ann"),
            Optional.of("ann"),
            Optional.empty(),
            new int[] {1, 2},
            new String[] {"ann", null},
            new Named("ann"),
            Thread.State.NEW);

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(HeadgateAutoConfiguration.class, HeadgateMethodAutoConfiguration.class))
            .withBean(Service.class);

    @ParameterizedTest
    @FieldSource("WITHOUT_TEXT")
    void givesThemOneBudgetTogether(Object key) {
        application.run(context -> {
            Service service = context.getBean(Service.class);
            service.any(key);
            service.any(new User());
            assertDenied(() -> service.any(key));
        });
    }

    /** As of a session, or of an entity that is not loaded yet. */
    private static Object proxied(Object entity) {
        ProxyFactory proxy = new ProxyFactory(entity);
        proxy.setProxyTargetClass(true);
        return proxy.getProxy();
    }

    /** What else Spring Security says of a user, such as the session, is another one each time. */
    @Test
    void takesTheNameOfAPrincipal() {
        application.run(context -> {
            Service service = context.getBean(Service.class);
            service.any(new Authenticated("ann", 1));
            service.any(new Authenticated("ann", 2));
            assertDenied(() -> service.any(new Authenticated("ann", 3)));
            service.any(new Authenticated("bob", 1));

            service.greeted(new Authenticated("ann", 1));
            assertDenied(() -> service.greeted(new Authenticated("ann", 2)));
            service.greeted(new Authenticated("bob", 1));
        });
    }

    static class Entity {}

    private record Authenticated(String name, int session) implements Principal {

        @Override
        public String getName() {
            return name;
        }
    }

    @ParameterizedTest
    @FieldSource("WITH_TEXT")
    void takesWhatHasAText(Object key) {
        application.run(context -> {
            Service service = context.getBean(Service.class);
            service.any(new User());
            service.any(new User());
            service.any(key);
            service.any(key);
            assertDenied(() -> service.any(key));
        });
    }

    @Test
    void findsThemInTexts() {
        application.run(context -> {
            Service service = context.getBean(Service.class);
            service.joined(new User());
            assertDenied(() -> service.joined(new User()));
        });
    }

    @Test
    void saysSoOnce(CapturedOutput output) {
        application.run(context -> {
            Service service = context.getBean(Service.class);
            service.any(new User());
            service.any(new User());
            assertThat(output)
                    .contains(
                            "Service#any: key '#user' identifies nobody", User.class.getTypeName() + " has no toString")
                    .contains("such as #user.id");
            assertThat(StringUtils.countOccurrencesOf(output.getAll(), "identifies nobody"))
                    .isEqualTo(1);
        });
    }

    /** As any other failure of a key does. */
    @Test
    void goesByTheFailurePolicy() {
        application.withPropertyValues("headgate.on-store-failure=closed").run(context -> {
            Service service = context.getBean(Service.class);
            assertThatExceptionOfType(RateLimitExceededException.class)
                    .isThrownBy(() -> service.any(new User()))
                    .satisfies(denial -> assertThat(denial.decision())
                            .isInstanceOfSatisfying(
                                    Decision.Unavailable.class,
                                    unavailable -> assertThat(unavailable.cause())
                                            .hasRootCauseInstanceOf(StableText.Missing.class)));
        });
    }

    private static void assertDenied(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(call);
    }

    static final class User {}

    record Named(String name) {}

    static class Service {

        @RateLimit(value = "2/h", key = "#user")
        public void any(Object user) {}

        @RateLimit(value = "1/h", key = "'user ' + #user")
        public void joined(User user) {}

        @RateLimit(value = "1/h", key = "'user ' + #user")
        public void greeted(Principal user) {}
    }
}
