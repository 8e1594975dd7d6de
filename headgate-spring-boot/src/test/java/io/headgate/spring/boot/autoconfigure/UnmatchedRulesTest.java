package io.headgate.spring.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.http.Rule;
import io.headgate.http.RuleSource;
import io.headgate.spring.RateLimit;
import io.headgate.spring.RuleLines;
import io.headgate.spring.Running;
import jakarta.servlet.http.HttpServlet;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Known bug O9: a rule that matches nothing does not start in silence, and one that matches something does. */
@ExtendWith(OutputCaptureExtension.class)
class UnmatchedRulesTest {

    private static final String[] STATIC = {"spring.web.resources.static-locations=classpath:/served/"};

    private static final String ELSEWHERE =
            ". For requests that a filter or another servlet answers, set stage: filter";

    @ParameterizedTest
    @CsvSource({
        "servlet, server.servlet.context-path=/ctx",
        "servlet, spring.mvc.servlet.path=/ctx",
        "reactive, spring.webflux.base-path=/ctx"
    })
    void tellsOfTheContextPath(String type, String base) {
        RuleLines rules = new RuleLines()
                .rule("late", "/ctx/shop/**")
                .rule("early", "/ctx/shop/*/7", "stage=filter")
                .rule("right", "/shop/**");
        assertThat(warnings(type, Api.class, rules, base))
                .containsExactly(
                        "rule 'late': the path /ctx/shop/** matches no request, because rules match what follows the context path"
                                + " /ctx; write /shop/**",
                        "rule 'early': the path /ctx/shop/*/7 matches no request, because rules match what follows the context path"
                                + " /ctx; write /shop/*/7");
    }

    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void namesTheHandlerInAnotherCase(String type) {
        RuleLines rules = new RuleLines().rule("late", "/SHOP/**").rule("early", "/Shop/**", "stage=filter");
        assertThat(warnings(type, Api.class, rules))
                .containsExactly(
                        "rule 'late': the path /SHOP/** matches no handler; it differs from /shop/orders/{id} only in case",
                        "rule 'early': the path /Shop/** matches no handler; it differs from /shop/orders/{id} only in case");
    }

    /** A rule without the slash holds for paths with it, but not the other way round. */
    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void tellsOfASlashThatNoHandlerHas(String type) {
        RuleLines rules = new RuleLines()
                .rule("late", "/shop/orders/7/")
                .rule("early", "/function/orders/", "stage=filter")
                .rule("any", "/shop/*/7/")
                .rule("nothing", "/nothing/")
                .rule("file", "/api/login/")
                .rule("without", "/slash")
                .rule("with", "/slash/");
        assertThat(warnings(type, Api.class, rules, STATIC))
                .containsExactly(
                        "rule 'late': the path /shop/orders/7/ matches no handler, because none ends with a slash there;"
                                + " write /shop/orders/7",
                        "rule 'early': the path /function/orders/ matches no handler, because none ends with a slash there;"
                                + " write /function/orders",
                        "rule 'any': the path /shop/*/7/ matches no handler, because none ends with a slash there;"
                                + " write /shop/*/7",
                        "rule 'nothing': the path /nothing/ matches no handler and no static file; the closest handler is"
                                + " /either" + ELSEWHERE);
    }

    /** Rules that are changed while the application runs are checked, too, and nothing is told twice. */
    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void tellsOfRulesThatAreReloaded(String type, CapturedOutput output) {
        BiFunction<Class<?>, String[], Running> start = type.equals("servlet") ? Running::servlet : Running::reactive;
        String[] withoutFiles = {Running.WITHOUT_SPRING_SECURITY, "spring.web.resources.add-mappings=false"};
        try (Running running = start.apply(Reloaded.class, withoutFiles)) {
            Changing rules = running.context().getBean(Changing.class);
            String old = "rule 'old': the path /old/** matches no handler";
            assertThat(output).containsOnlyOnce(old);

            rules.change(rule("old", "/old/**"), rule("fine", "/shop/**"), rule("new", "/SHOP/**"));
            String added =
                    "rule 'new': the path /SHOP/** matches no handler; it differs from /shop/orders/{id} only in";
            assertThat(output).containsOnlyOnce(old).containsOnlyOnce(added);

            rules.change(rule("old", "/older/**"), rule("new", "/SHOP/**"), rule("methods"));
            assertThat(output)
                    .containsOnlyOnce(added)
                    .containsOnlyOnce(old)
                    .containsOnlyOnce("rule 'old': the path /older/** matches no handler")
                    .containsOnlyOnce("rule 'methods' limits nothing: it has no path");

            rules.change(rule("root", "/"), rule("old", "/old/**"));
            assertThat(output).containsOnlyOnce("rule 'root': the path / matches no handler");
            assertThat(output.getAll().split(Pattern.quote(old), -1))
                    .as("a mistake that was made again")
                    .hasSize(3);
        }
    }

    private static Rule rule(String name, String... paths) {
        return Rule.named(name).paths(paths).limits("2/h").build();
    }

    @Test
    void isSilentAboutCaseThatDoesNotMatter() {
        assertThat(warnings("servlet", Api.class, new RuleLines().rule("any", "/SHOP/**"), "headgate.ignore-case=true"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void namesTheClosestHandler(String type, CapturedOutput output) {
        RuleLines rules = new RuleLines()
                .rule("order", "/shop/order/*")
                .rule("function", "/function/orderz")
                .rule("file", "/api/logout")
                .rule("login", "/login", "stage=filter"); // a filter may answer it
        List<String> warnings = warnings(type, Api.class, rules, STATIC);
        assertThat(warnings)
                .startsWith(
                        "rule 'order': the path /shop/order/* matches no handler and no static file; the closest handler is"
                                + " /shop/orders/{id}" + ELSEWHERE,
                        "rule 'function': the path /function/orderz matches no handler and no static file; the closest handler is"
                                + " /function/orders" + ELSEWHERE)
                .hasSize(3);
        assertThat(warnings.get(2))
                .startsWith("rule 'file': the path /api/logout matches no handler and no static file");
        assertThat(output).contains("WARN").contains("rule 'order': the path /shop/order/* matches no handler");
    }

    /** What answers may be a method, a function, a file, an endpoint, or something that only knows itself what it answers. */
    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void isSilentAboutWhatIsAnswered(String type) {
        RuleLines rules = new RuleLines();
        List.of(
                        "/shop/**",
                        "/shop/orders/7",
                        "/shop/*/7",
                        "/**",
                        "/*",
                        "/**/orders/**",
                        "/{any}",
                        "/",
                        "/function/**",
                        "/function/orders",
                        "/nested/first",
                        "/nested/second/*",
                        "/either",
                        "/or",
                        "/api/login",
                        "/api/**",
                        "/deep/*",
                        "/*.html",
                        "/actuator/**",
                        "/actuator/health",
                        "/webjars/**")
                .forEach(path -> rules.rule("rule" + Integer.toHexString(path.hashCode()), path, "match=all"));
        assertThat(warnings(type, Api.class, rules, STATIC)).isEmpty();
    }

    /** A rule in the handler stage does not limit another servlet. */
    @Test
    void isNotContentWithAServletThatHandlerRulesDoNotLimit() {
        RuleLines rules =
                new RuleLines().rule("early", "/other/a", "stage=filter").rule("late", "/other/b");
        assertThat(warnings("servlet", Other.class, rules))
                .singleElement()
                .asString()
                .startsWith("rule 'late': ");
    }

    /** A function without a path answers any. */
    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void isSilentIfAFunctionMayAnswerAnything(String type) {
        assertThat(warnings(type, Anything.class, new RuleLines().rule("any", "/nothing/**")))
                .isEmpty();
    }

    @Test
    void isSilentAboutEndpointsOnAnotherPort() {
        assertThat(warnings(
                        "servlet",
                        Api.class,
                        new RuleLines().rule("info", "/actuator/info"),
                        "management.server.port=0"))
                .isEmpty();
    }

    /** The rule that an annotation names need not match anything. */
    private static List<String> warnings(String type, Class<?> application, RuleLines rules, String... properties) {
        BiFunction<Class<?>, String[], Running> start = type.equals("servlet") ? Running::servlet : Running::reactive;
        String[] all = Stream.concat(Stream.of(properties), Stream.of(Running.WITHOUT_SPRING_SECURITY))
                .toArray(String[]::new);
        try (Running running = start.apply(
                application, rules.rule("named", "/by-annotation-only").and(all))) {
            return running.context().getBean(StartupReport.class).unmatched();
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @RestController
    static class Api {

        @GetMapping("/shop/orders/{id}")
        String order() {
            return "ok";
        }

        @GetMapping("/slash/")
        String slash() {
            return "ok";
        }

        @RateLimit(rule = "named")
        @GetMapping("/longer/than/anything")
        String limitedByName() {
            return "ok";
        }

        @Bean
        RouterFunction<ServerResponse> reactive() {
            return RouterFunctions.route()
                    .GET("/function/orders", request -> ServerResponse.ok().build())
                    .path(
                            "/nested",
                            nested -> nested.GET(
                                            "/first",
                                            request -> ServerResponse.ok().build())
                                    .path(
                                            "/second",
                                            deep -> deep.GET(
                                                    "/{id}",
                                                    request ->
                                                            ServerResponse.ok().build())))
                    .route(
                            org.springframework.web.reactive.function.server.RequestPredicates.path("/either")
                                    .or(org.springframework.web.reactive.function.server.RequestPredicates.path("/or")),
                            request -> ServerResponse.ok().build())
                    .build();
        }

        @Bean
        org.springframework.web.servlet.function.RouterFunction<?> mvc() {
            return org.springframework.web.servlet.function.RouterFunctions.route()
                    .GET("/function/orders", request -> ok())
                    .path(
                            "/nested",
                            nested -> nested.GET("/first", request -> ok())
                                    .path("/second", deep -> deep.GET("/{id}", request -> ok())))
                    .route(
                            org.springframework.web.servlet.function.RequestPredicates.path("/either")
                                    .or(org.springframework.web.servlet.function.RequestPredicates.path("/or")),
                            request -> ok())
                    .build();
        }

        private static org.springframework.web.servlet.function.ServerResponse ok() {
            return org.springframework.web.servlet.function.ServerResponse.ok().build();
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Reloaded.Shop.class)
    static class Reloaded {

        @Bean
        Changing rules() {
            return new Changing();
        }

        @RestController
        static class Shop {

            @GetMapping("/shop/orders/{id}")
            String order() {
                return "ok";
            }
        }
    }

    static final class Changing implements RuleSource {

        private final List<Runnable> told = new ArrayList<>();
        private List<Rule> rules = List.of(rule("old", "/old/**"));

        void change(Rule... now) {
            rules = List.of(now);
            told.forEach(Runnable::run);
        }

        @Override
        public List<Rule> rules() {
            return rules;
        }

        @Override
        public void onChange(Runnable changed) {
            told.add(changed);
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Api.class)
    static class Other {

        @Bean
        ServletRegistrationBean<HttpServlet> other() {
            return new ServletRegistrationBean<>(
                    new HttpServlet() {
                        private static final long serialVersionUID = 1L;
                    },
                    "/other/*");
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Api.class)
    static class Anything {

        @Bean
        RouterFunction<ServerResponse> reactiveAnything() {
            return RouterFunctions.route(
                    request -> request.path().endsWith("x"),
                    request -> ServerResponse.ok().build());
        }

        @Bean
        org.springframework.web.servlet.function.RouterFunction<?> mvcAnything() {
            return org.springframework.web.servlet.function.RouterFunctions.route(
                    request -> request.path().endsWith("x"), request -> Api.ok());
        }
    }
}
