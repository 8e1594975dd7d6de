package io.headgate.spring.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.headgate.http.BoundRule;
import io.headgate.spring.RateLimit;
import io.headgate.spring.RateLimitExceededException;
import io.headgate.spring.boot.autoconfigure.HeadgateAutoConfiguration;
import io.headgate.spring.boot.autoconfigure.HeadgateMethodAutoConfiguration;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.http.HttpStatus;
import org.springframework.mock.http.client.MockClientHttpResponse;
import org.springframework.stereotype.Controller;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.support.RestClientAdapter;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;

/** Limits on interfaces whose beans somebody else makes: repositories, HTTP clients, lambdas. */
@ExtendWith(OutputCaptureExtension.class)
class ContractLimitTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(HeadgateAutoConfiguration.class, HeadgateMethodAutoConfiguration.class));

    @Test
    void limitsARepository() {
        with(Orders.class, () -> repository(Orders.class), orders -> {
            assertThat(orders.findByName("ann")).isEqualTo("findByName of ann");
            assertThat(orders.findByName("bob")).isEqualTo("findByName of bob");
            assertDenied("Orders#findByName", () -> orders.findByName("ann"));
            orders.delete("ann");
            orders.delete("ann");
        });
    }

    /** The class behind both is the same, and neither of them. */
    @Test
    void keepsTheBudgetsOfRepositoriesApart() {
        application
                .withBean("orders", Made.class, () -> new Made(Orders.class))
                .withBean("customers", Made.class, () -> new Made(Customers.class))
                .withBean("free", Made.class, () -> new Made(Free.class))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    context.getBean(Free.class).findByName("ann");
                    context.getBean(Orders.class).findByName("ann");
                    context.getBean(Customers.class).findByName("ann");
                    context.getBean(Customers.class).save("ann");
                    assertDenied(
                            "Customers#findByName",
                            () -> context.getBean(Customers.class).findByName("ann"));
                    assertDenied(
                            "Customers#save",
                            () -> context.getBean(Customers.class).save("ann"));
                    assertDenied(
                            "Orders#findByName",
                            () -> context.getBean(Orders.class).findByName("ann"));
                    context.getBean(Free.class).findByName("ann");
                });
    }

    /** The call of a bridge comes to a second one, which is charged. */
    @Test
    void chargesOnceByWhicheverTypeItIsCalled() {
        with(Orders.class, () -> repository(Orders.class), orders -> {
            Base<String> base = orders;
            assertThat(base.save("ann")).isEqualTo("save of ann");
            assertThat(orders.save("ann")).isEqualTo("save of ann");
            assertDenied("Orders#save(String)", () -> base.save("ann"));
        });
        with(Orders.class, () -> plain(Orders.class), orders -> {
            Base<String> base = orders;
            base.save("ann");
            orders.save("ann");
            assertDenied("Orders#save(String)", () -> base.save("ann"));
        });
    }

    @Test
    void limitsAnHttpClient() {
        with(Clients.class, () -> client(Clients.class), clients -> {
            assertThat(clients.find("ann", 2)).isEqualTo("found");
            assertDenied("Clients#find", () -> clients.find("ann", 1));
            assertThat(clients.find("bob", 2)).isEqualTo("found");
        });
    }

    @Test
    void limitsAPlainProxy() {
        with(Orders.class, () -> plain(Orders.class), orders -> {
            assertThat(orders.findByName("ann")).isEqualTo("findByName of ann");
            assertDenied("Orders#findByName", () -> orders.findByName("ann"));
            assertThat(AopUtils.isJdkDynamicProxy(orders)).isTrue();
        });
    }

    @Test
    void limitsALambda() {
        with(Lookup.class, () -> name -> name, lookup -> {
            assertThat(lookup.find("ann")).isEqualTo("ann");
            assertDenied("Lookup#find", () -> lookup.find("ann"));
        });
    }

    @Test
    void limitsDefaultMethodsAndFallsBackToThem() {
        with(Orders.class, () -> repository(Orders.class), orders -> {
            assertThat(orders.twice("ann")).isEqualTo("delete of ann, delete of ann");
            assertDenied("Orders#twice", () -> orders.twice("ann"));
            assertThat(orders.spared("ann")).isEqualTo("spared of ann");
            assertThat(orders.spared("ann")).startsWith("later, ann: rate limit");
        });
        with(Orders.class, () -> plain(Orders.class), orders -> {
            orders.spared("ann");
            assertThat(orders.spared("ann")).startsWith("later, ann: rate limit");
        });
    }

    @Test
    void isLimitedOnceByWhatIsSaidTwice() {
        with(Strict.class, () -> repository(Strict.class), strict -> {
            strict.findByName("ann");
            strict.findByName("ann");
            assertDenied("Strict#findByName", () -> strict.findByName("ann"));
            strict.delete("ann");
            assertDenied("Strict#delete", () -> strict.delete("ann"));
        });
        with(Looser.class, Looser::new, looser -> {
            looser.find("ann");
            looser.find("ann");
            assertDenied("Looser#find", () -> looser.find("ann"));
        });
    }

    /** Java tells a proxy of the first alone. */
    @Test
    void goesByTheFirstOfTwoInterfaces(CapturedOutput output) {
        application
                .withBean(
                        "both",
                        Object.class,
                        () -> Proxy.newProxyInstance(
                                getClass().getClassLoader(), new Class<?>[] {Lookup.class, Search.class}, answers()))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    Search search = context.getBean(Search.class);
                    search.find("ann");
                    assertDenied("Lookup#find", () -> search.find("ann"));
                    search.count("ann");
                    assertDenied("Search#count", () -> search.count("ann"));
                    assertThat(output)
                            .contains("Search#find limits nothing on a bean that also implements "
                                    + Lookup.class.getName())
                            .doesNotContain("Search#count limits nothing");
                });
    }

    /** What a class is called does not depend on who put a proxy before it. */
    @Test
    void namesTheBudgetsOfAClassAfterIt() {
        with(Lookup.class, () -> behindAProxy(Lookup.class, new Written()), lookup -> {
            lookup.find("ann");
            assertDenied("Written#find", () -> lookup.find("ann"));
        });
        with(Lookup.class, () -> behindAProxy(Lookup.class, new Annotated()), lookup -> {
            lookup.find("ann");
            assertDenied("Annotated#find", () -> lookup.find("ann"));
        });
    }

    @Test
    void stopsOnWhatCannotBeRight(CapturedOutput output) {
        rejected(Wrong.class, "Wrong#find", "#usr", "not an argument", "#user");
        rejected(WrongFallback.class, "WrongFallback#find", "must be a default method");
        with(
                Useless.class,
                () -> repository(Useless.class),
                useless -> assertThat(output).contains("Useless#common limits nothing"));
    }

    /** On the request, where the proxy is all that is known of the handler. */
    @Test
    void limitsHandlersBehindProxies() {
        handler(plain(Pages.class), "Pages#page");
        handler(behindAProxy(Pages.class, new Paged()), "Paged#page");
    }

    private static void handler(Object bean, String name) {
        new WebApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(HeadgateAutoConfiguration.class, HeadgateMethodAutoConfiguration.class))
                .withBean(Pages.class, () -> (Pages) bean)
                .run(context -> assertThat(context.getBean(MethodLimits.class).of((Object) new HandlerMethod(
                                context.getBean(Pages.class), ReflectionUtils.findMethod(Pages.class, "page"))))
                        .extracting(BoundRule::name)
                        .containsExactly(name));
    }

    private <T> void with(Class<T> type, Supplier<T> bean, Consumer<T> test) {
        application.withBean("bean", Object.class, bean::get).run(context -> {
            assertThat(context).hasNotFailed();
            test.accept(context.getBean(type));
        });
    }

    private void rejected(Class<?> type, String... said) {
        application.withBean(Made.class, () -> new Made(type)).run(context -> {
            assertThat(context).hasNotFailed();
            assertThatExceptionOfType(Exception.class)
                    .isThrownBy(() -> context.getBean(type))
                    .havingRootCause()
                    .isInstanceOf(IllegalArgumentException.class);
        });
        application.withBean("bean", Object.class, () -> repository(type)).run(context -> {
            assertThat(context).hasFailed();
            assertThat(context.getStartupFailure()).isInstanceOf(InvalidLimitException.class);
            assertThat(context.getStartupFailure().getMessage()).contains(said);
        });
    }

    private static void assertDenied(String budget, ThrowingCallable call) {
        assertThatExceptionOfType(RateLimitExceededException.class)
                .isThrownBy(call)
                .satisfies(denial -> assertThat(denial.verdict().rule()).isEqualTo(budget));
    }

    /** As Spring Data makes them: before an object of another class, and with default methods that are called on the proxy. */
    private static <T> T repository(Class<T> type) {
        ProxyFactory factory = new ProxyFactory();
        factory.setTarget(new Simple());
        factory.setInterfaces(type, Marker.class);
        factory.addAdvice((MethodInterceptor) invocation -> {
            if (invocation.getMethod().isDefault()) {
                ReflectionUtils.makeAccessible(invocation.getMethod());
                return InvocationHandler.invokeDefault(
                        ((ProxyMethodInvocation) invocation).getProxy(),
                        invocation.getMethod(),
                        invocation.getArguments());
            }
            return invocation.getMethod().getName() + " of " + invocation.getArguments()[0];
        });
        return type.cast(factory.getProxy(ContractLimitTest.class.getClassLoader()));
    }

    private static <T> T plain(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, answers()));
    }

    private static InvocationHandler answers() {
        return (proxy, method, arguments) -> {
            if (method.isDefault() && !method.isBridge()) {
                ReflectionUtils.makeAccessible(method);
                return InvocationHandler.invokeDefault(proxy, method, arguments);
            }
            return switch (method.getName()) {
                case "hashCode" -> System.identityHashCode(proxy);
                case "equals" -> proxy == arguments[0];
                case "toString" -> "a proxy";
                default -> method.getName() + " of " + (arguments == null ? "" : arguments[0]);
            };
        };
    }

    private static <T> T client(Class<T> type) {
        RestClient client = RestClient.builder()
                .baseUrl("http://clients")
                .requestInterceptor((request, body, execution) ->
                        new MockClientHttpResponse("found".getBytes(StandardCharsets.UTF_8), HttpStatus.OK))
                .build();
        return HttpServiceProxyFactory.builderFor(RestClientAdapter.create(client))
                .build()
                .createClient(type);
    }

    private static <T> T behindAProxy(Class<T> type, T target) {
        return type.cast(new ProxyFactory(target).getProxy(ContractLimitTest.class.getClassLoader()));
    }

    private record Made(Class<?> type) implements FactoryBean<Object> {

        @Override
        public Object getObject() {
            return repository(type);
        }

        @Override
        public Class<?> getObjectType() {
            return type;
        }
    }

    interface Marker {}

    interface Base<T> {

        String save(T what);

        String delete(T what);
    }

    static class Simple implements Base<Object> {

        @Override
        public String save(Object what) {
            return "saved";
        }

        @Override
        public String delete(Object what) {
            return "deleted";
        }
    }

    interface Orders extends Base<String> {

        @RateLimit(value = "1/h", key = "#name")
        String findByName(String name);

        @Override
        @RateLimit("2/h")
        String save(String what);

        @RateLimit("1/h")
        default String twice(String name) {
            return delete(name) + ", " + delete(name);
        }

        @RateLimit(value = "1/h", fallback = "later")
        String spared(String name);

        default String later(String name, RateLimitExceededException denial) {
            return "later, " + name + ": " + denial.getMessage();
        }
    }

    @RateLimit("1/h")
    interface Customers extends Base<String> {

        String findByName(String name);
    }

    interface Free extends Base<String> {

        String findByName(String name);
    }

    @RateLimit("1/h")
    interface Strict extends Orders {

        @Override
        @RateLimit("2/h")
        String findByName(String name);
    }

    @RateLimit("1/h")
    interface Lookup {

        String find(String name);
    }

    interface Search {

        @RateLimit("5/h")
        String find(String name);

        @RateLimit("1/h")
        String count(String name);
    }

    static class Written implements Lookup {

        @Override
        public String find(String name) {
            return name;
        }
    }

    @RateLimit("1/h")
    static class Annotated implements Lookup {

        @Override
        public String find(String name) {
            return name;
        }
    }

    static class Looser implements Lookup {

        @Override
        @RateLimit("2/h")
        public String find(String name) {
            return name;
        }
    }

    interface Clients {

        @GetExchange("/")
        @RateLimit(value = "2/h", key = "#name", cost = "#times")
        String find(@RequestParam("name") String name, @RequestParam("times") int times);
    }

    interface Wrong {

        @RateLimit(key = "#usr")
        String find(String user);
    }

    interface WrongFallback {

        @RateLimit(fallback = "later")
        String find(String user);

        String later(String user);
    }

    interface Useless {

        String find(String user);

        @RateLimit
        static List<String> common() {
            return List.of();
        }
    }

    @Controller
    interface Pages {

        @RateLimit("1/h")
        @GetMapping("/")
        String page();
    }

    static class Paged implements Pages {

        @Override
        @RateLimit("2/h")
        public String page() {
            return "page";
        }
    }
}
