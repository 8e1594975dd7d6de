package io.headgate.spring.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.spring.RuleLines;
import io.headgate.spring.Running;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.filter.reactive.UrlHandlerFilter;
import org.springframework.web.server.WebFilter;

/** Known bugs P01, where a filter behind ours writes the path anew. */
class RewrittenPathTest {

    private static final String[] RULES = new RuleLines()
            .rule("login", "/login", "stage=filter", "limits=2/h")
            .rule("late", "/login", "limits=9/h")
            .and(Running.WITHOUT_SPRING_SECURITY);

    @Test
    void meetsTheRulesAtTheFilterOnceWhateverTheSpelling() {
        try (Running application = Running.reactive(Application.class, RULES)) {
            assertThat(application.get("/login/").headers().firstValue("RateLimit"))
                    .hasValueSatisfying(told -> assertThat(told).contains("\"login\";r=1", "\"late\";r=8"));
            assertThat(application.get("/login").headers().firstValue("RateLimit"))
                    .hasValueSatisfying(told -> assertThat(told).contains("\"login\";r=0", "\"late\";r=7"));
            assertThat(application.get("/login/").statusCode()).isEqualTo(429);
            assertThat(application.get("/login").statusCode()).isEqualTo(429);
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import(Api.class)
    static class Application {

        /** Takes the slash away when our filter has seen the path. */
        @Bean
        WebFilter slashes() {
            return UrlHandlerFilter.trailingSlashHandler("/**").mutateRequest().build();
        }
    }

    @RestController
    static class Api {

        @GetMapping("/login")
        public String login() {
            return "ok";
        }
    }
}
