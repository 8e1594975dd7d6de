package io.headgate.spring.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.config.Customizer.withDefaults;

import io.headgate.spring.Applications;
import io.headgate.spring.RuleLines;
import io.headgate.spring.Running;
import io.headgate.spring.Wire;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;

/** What looks like a preflight and carries credentials was sent by no browser, and Spring Security looks at them. */
class PreflightCredentialsTest {

    /** Each test has clients of its own. */
    @AutoClose
    private static final Applications<String> APPLICATIONS = new Applications<>(PreflightCredentialsTest::start);

    /** Known bugs M02, O4: a client that has nothing left cannot go on guessing passwords with preflights. */
    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void cannotGuessPasswords(String type) {
        Running running = APPLICATIONS.get(type);
        Target target = () -> running;
        String client = Target.stranger();
        assertThat(preflight(target, client, password("wrong")).status()).isEqualTo(401);
        assertThat(target.ask(client, "GET /any", password("wrong")).status()).isEqualTo(401);

        assertThat(target.ask(client, "GET /any", password("right")).status()).isEqualTo(429);
        int wrong = preflight(target, client, password("wrong")).status();
        assertThat(preflight(target, client, password("right")).status())
                .isEqualTo(wrong)
                .isIn(403, 429); // the former if the origin is rejected, which comes before the password as well
    }

    @ParameterizedTest
    @CsvSource({
        "servlet, authorization: Bearer x",
        "servlet, Proxy-Authorization: Basic eA==",
        "servlet, Cookie: SESSION=x",
        "reactive, authorization: Bearer x",
        "reactive, Proxy-Authorization: Basic eA==",
        "reactive, Cookie: SESSION=x"
    })
    void areCharged(String type, String credentials) {
        Running running = APPLICATIONS.get(type);
        Target target = () -> running;
        String client = Target.stranger();
        preflight(target, client, credentials);
        preflight(target, client, credentials);
        assertThat(target.remaining("all", "ip:" + client)).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void preflightsOfBrowsersAreFree(String type) {
        Running running = APPLICATIONS.get(type);
        Target target = () -> running;
        String client = Target.stranger();
        preflight(target, client, "Access-Control-Request-Headers: authorization");
        assertThat(target.remaining("all", "ip:" + client)).isEqualTo(2);
    }

    private static Running start(String type) {
        String[] properties = new RuleLines()
                .rule("all", "/**", "limits=2/h", "stage=filter")
                .and("spring.security.user.name=ann", "spring.security.user.password=right");
        return type.equals("servlet")
                ? Running.servlet(OnMvc.class, properties)
                : Running.reactive(OnWebFlux.class, properties);
    }

    private static Wire.Answer preflight(Target target, String client, String header) {
        return target.ask(client, "OPTIONS /any", "Origin: http://page", "Access-Control-Request-Method: GET", header);
    }

    private static String password(String password) {
        return "Authorization: Basic "
                + Base64.getEncoder().encodeToString(("ann:" + password).getBytes(StandardCharsets.UTF_8));
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({SecuritySuite.Api.class, SecuritySuite.Time.class})
    static class OnMvc {

        @Bean
        SecurityFilterChain security(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .httpBasic(withDefaults())
                    .build();
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({SecuritySuite.Api.class, SecuritySuite.Time.class})
    static class OnWebFlux {

        @Bean
        SecurityWebFilterChain security(ServerHttpSecurity http) {
            return http.authorizeExchange(exchanges -> exchanges.anyExchange().authenticated())
                    .httpBasic(withDefaults())
                    .build();
        }
    }
}
