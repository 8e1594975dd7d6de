package io.headgate.guide;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.Hello;
import io.headgate.Headgate;
import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.RateLimiter;
import io.headgate.TimeSource;
import io.headgate.http.Answers;
import io.headgate.http.Verdict;
import io.headgate.http.response.StandardAnswers;
import io.headgate.testkit.ManualTime;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;

/** The responses that the page shows are the ones that are sent. */
class HeadersTest {

    private static final String PAGE = Pages.read(Pages.ROOT.resolve("docs/guide/headers.md"));

    private final ManualTime time = new ManualTime(Instant.parse("2026-11-16T12:00:00Z"));
    private final Answers answers = new StandardAnswers(time);

    @Test
    void showsAGrant() {
        assertThat(PAGE).contains("HTTP/1.1 200\n" + headers(asked(58, "api", Plan.parse("100/min"))));
    }

    @Test
    void showsADenial() {
        Verdict denial = asked(101, "api", Plan.parse("100/min"));
        assertThat(PAGE)
                .contains("HTTP/1.1 429\n" + headers(denial) + "Content-Type: application/problem+json\n\n")
                .contains(answers.body(denial).replace(",\"", ",\n \""));
    }

    @Test
    void showsTwoLimits() {
        Plan plan = Plan.of(
                Limit.parse("5/min").using("sliding-window-log"),
                Limit.parse("20/h").using("sliding-window-log"));
        assertThat(PAGE)
                .contains(headers(asked(3, "login", plan)).lines().limit(2).toList());
    }

    private Verdict asked(int times, String rule, Plan plan) {
        RateLimiter limiter = Headgate.builder().timeSource(time).build().limiter(rule, plan);
        for (int i = 1; i < times; i++) {
            limiter.tryAcquire("somebody");
        }
        return Verdict.of(rule, limiter.tryAcquire("somebody"));
    }

    private String headers(Verdict verdict) {
        List<String> lines = new ArrayList<>();
        answers.headers(verdict, (name, value) -> lines.add(name + ": " + value + "\n"));
        return String.join("", lines);
    }

    static class Plain {
        // snippet
        @Bean
        Answers answers(TimeSource time) {
            return new PlainAnswers(new StandardAnswers(time));
        }
        // end
    }

    @Test
    void letsTheUserAnswer() {
        String rule = "headgate.rules: [{name: api, path: /**, limits: 1/h}]";
        try (Application application = Application.start(WebApplicationType.SERVLET, rule, Plain.class, Hello.class)) {
            application.get("/api/hello");
            HttpResponse<String> denied = application.get("/api/hello");
            assertThat(denied.body()).isEqualTo("Slow down.");
            assertThat(denied.headers().map()).containsKeys("retry-after", "ratelimit");
        }
    }
}
