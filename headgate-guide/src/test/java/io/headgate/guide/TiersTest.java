package io.headgate.guide;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.Hello;
import io.headgate.testkit.ManualTime;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.security.Principal;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;

/** The page on tiers does what it says. */
class TiersTest {

    /** Authenticates whoever says who he is. */
    static class Users {

        @Bean
        ManualTime time() {
            return new ManualTime();
        }

        @Bean
        FilterRegistrationBean<Filter> users() {
            FilterRegistrationBean<Filter> users = new FilterRegistrationBean<>((request, response, chain) ->
                    chain.doFilter(new Authenticated((HttpServletRequest) request), response));
            users.setOrder(-100); // as that of Spring Security
            return users;
        }
    }

    private static final class Authenticated extends HttpServletRequestWrapper {

        Authenticated(HttpServletRequest request) {
            super(request);
        }

        @Override
        public Principal getUserPrincipal() {
            String user = getHeader("user");
            return user == null ? null : () -> user;
        }

        @Override
        public boolean isUserInRole(String role) {
            return role.equals(getHeader("role"));
        }
    }

    @Test
    void looksUpTheContractOfAUserAndKeepsWhatWasSpent() {
        try (Application application = start("plan-resolver: contractOfUser")) {
            assertThat(application.statuses(4, "/api/hello", "user", "alice")).containsExactly(200, 200, 200, 429);
            application.bean(Tiers.Customers.class).gold().add("alice");
            assertThat(application.statuses(1, "/api/hello", "user", "alice")).containsExactly(429);

            application.bean(ManualTime.class).advance(Duration.ofSeconds(61));
            assertThat(remaining(application, "user", "alice")).isEqualTo(96);
            assertThat(remaining(application, "user", "bob")).isEqualTo(2);
        }
    }

    @Test
    void readsTheTierFromTheRequestAndKeepsWhatWasSpent() {
        try (Application application = start("plan-resolver: planOfRole")) {
            assertThat(application.statuses(4, "/api/hello", "user", "alice")).containsExactly(200, 200, 200, 429);
            assertThat(remaining(application, "user", "alice", "role", "GOLD")).isEqualTo(96);
            assertThat(application.statuses(1, "/api/hello", "user", "alice")).containsExactly(429);
        }
    }

    private static Application start(String words) {
        String yaml = Pages.block("tiers.md", "yaml", words);
        return Application.start(WebApplicationType.SERVLET, yaml, Tiers.class, Users.class, Hello.class);
    }

    private static int remaining(Application application, String... headers) {
        return application
                .get("/api/hello", headers)
                .headers()
                .firstValue("X-RateLimit-Remaining")
                .map(Integer::parseInt)
                .orElseThrow();
    }
}
