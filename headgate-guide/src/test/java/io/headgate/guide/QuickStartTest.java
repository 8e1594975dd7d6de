package io.headgate.guide;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.Greeter;
import com.example.Hello;
import com.example.Reports;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;

/** The quick start does what it says. */
class QuickStartTest {

    private static final String RULE = Pages.block("quick-start.md", "yaml", "name: api");

    @Test
    void limitsInPlainJava() {
        Greeter greeter = new Greeter();
        assertThat(greeter.greet("alice")).isEqualTo("hello, 9 left");
        IntStream.range(0, 9).forEach(each -> greeter.greet("alice"));
        assertThat(greeter.greet("alice")).startsWith("not now; in PT");
        assertThat(greeter.greet("bob")).isEqualTo("hello, 9 left");
    }

    @Test
    void limitsMvc() {
        try (Application application = Application.start(WebApplicationType.SERVLET, RULE, Hello.class)) {
            assertDeniesTheEleventh(application);
        }
    }

    @Test
    void limitsWebFlux() {
        try (Application application = Application.start(WebApplicationType.REACTIVE, RULE, ReactiveHello.class)) {
            assertDeniesTheEleventh(application);
        }
    }

    private static void assertDeniesTheEleventh(Application application) {
        List<Integer> statuses = application.statuses(11, "/api/hello");
        assertThat(statuses.subList(0, 10)).isEqualTo(Collections.nCopies(10, 200));
        assertThat(statuses.get(10)).isEqualTo(429);
        assertThat(application.get("/api/hello").headers().map()).containsKey("retry-after");
    }

    @Test
    void limitsMethods() {
        try (Application application = Application.start(WebApplicationType.NONE, "", Reports.class)) {
            Reports reports = application.bean(Reports.class);
            for (int i = 0; i < 5; i++) {
                assertThat(reports.create("alice")).isEqualTo("the report of alice");
            }
            assertThat(reports.create("alice")).isEqualTo("not yet");
            assertThat(reports.create("bob")).isEqualTo("the report of bob");
        }
    }

    @Test
    void readsEveryFormOfTheAnnotation() {
        String rules = Pages.block("spring-boot.md", "yaml", "name: login");
        try (Application application = Application.start(WebApplicationType.NONE, rules, Annotated.class)) {
            assertThat(application.bean(Annotated.class).order("u", "t", List.of("a", "b")))
                    .isEqualTo("ordered");
        }
    }
}
