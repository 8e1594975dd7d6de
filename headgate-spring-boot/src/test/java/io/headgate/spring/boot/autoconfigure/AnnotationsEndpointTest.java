package io.headgate.spring.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.spring.RateLimit;
import io.headgate.spring.RateLimitExceededException;
import io.headgate.spring.Running;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** What operators see of limits on methods. */
class AnnotationsEndpointTest {

    private static Running application;

    @BeforeAll
    static void start() {
        application = Running.servlet(
                Application.class,
                Stream.of(
                                Running.WITHOUT_SPRING_SECURITY,
                                "headgate.rules[0].name=login",
                                "headgate.rules[0].path=/login",
                                "headgate.rules[0].limits=3/h",
                                "management.endpoint.ratelimits.access=unrestricted",
                                "management.endpoints.web.exposure.include=ratelimits")
                        .toArray(String[]::new));
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    private static String asked(String question) {
        return application.get("/actuator/ratelimits/" + question).body();
    }

    @Test
    void showsWhatMethodsAreLimitedBy() {
        assertThat(application.get("/actuator/ratelimits").body())
                .contains("\"method\":\"" + Service.class.getName() + "#keyed\"")
                .contains("\"name\":\"Service#keyed\"")
                .contains("\"limits\":[\"1/h token-bucket\"]")
                .contains("\"key\":\"#who\"")
                .contains("\"name\":\"Api#own\"");
    }

    @Test
    void asksForThoseWhomAKeyNames() {
        application.context().getBean(Service.class).keyed("ann");

        assertThat(asked("Service%23keyed?subject=ann")).contains("\"remaining\":0");
        assertThat(asked("Service%23keyed?kind=key&subject=ann")).contains("\"remaining\":0");
        assertThat(asked("Service%23keyed?subject=bob")).contains("\"remaining\":1");
        assertThat(application
                        .send("DELETE", "/actuator/ratelimits/Service%23keyed?subject=ann")
                        .statusCode())
                .isEqualTo(204);
        assertThat(asked("Service%23keyed?subject=ann")).contains("\"remaining\":1");
        assertThat(application
                        .get("/actuator/ratelimits/Service%23keyed?kind=ip&subject=10.0.0.1")
                        .statusCode())
                .isEqualTo(400);
        assertThat(application.get("/actuator/ratelimits/Service%23keyed").statusCode())
                .isEqualTo(400);
    }

    @Test
    void asksForEverybodyWithoutAKey() {
        application.context().getBean(Service.class).together();

        assertThat(asked("Service%23together")).contains("\"remaining\":1");
        assertThat(asked("Service%23together?kind=global&subject=*")).contains("\"remaining\":1");
    }

    @Test
    void asksForAddressesOnHandlers() {
        application.get("/own");

        assertThat(asked("Api%23own?subject=127.0.0.1")).contains("\"remaining\":4");
        assertThat(application
                        .get("/actuator/ratelimits/Api%23own?kind=key&subject=ann")
                        .statusCode())
                .isEqualTo(400);
    }

    /** The budget is the rule's, and in it are those whom the key names. */
    @Test
    void asksForThoseWhomAKeyNamesUnderARule() {
        application.context().getBean(Service.class).ofRule("ann");

        assertThat(asked("login?kind=key&subject=ann")).contains("\"remaining\":2");
        assertThat(asked("login?subject=127.0.0.1")).contains("\"remaining\":3");
    }

    /** A name that can stand in a path, whatever the server makes of encoded slashes. */
    @Test
    void asksForTheSecondOfTwoAnnotations() {
        application.context().getBean(Service.class).twice("ann");

        assertThat(asked("Service%23twice.2?subject=ann")).contains("\"remaining\":8");
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Service.class, Api.class})
    static class Application {}

    static class Service {

        @RateLimit(value = "1/h", key = "#who")
        public void keyed(String who) {}

        @RateLimit("2/h")
        public void together() {}

        @RateLimit(rule = "login", key = "#who")
        public void ofRule(String who) throws RateLimitExceededException {}

        @RateLimit("9/h")
        @RateLimit(value = "9/h", key = "#who")
        public void twice(String who) {}
    }

    @RestController
    static class Api {

        @GetMapping("/own")
        @RateLimit("5/h")
        public String own() {
            return "ok";
        }
    }
}
