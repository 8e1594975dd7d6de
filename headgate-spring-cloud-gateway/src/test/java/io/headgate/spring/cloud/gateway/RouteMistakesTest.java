package io.headgate.spring.cloud.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.headgate.spring.cloud.gateway.Gateway.Kind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;

/** Mistakes in routes stop the start, all at once, and say where they are and what is allowed. */
class RouteMistakesTest {

    private static final String NOWHERE = "http://127.0.0.1:9";

    private static String failure(Kind kind, List<String> properties) {
        Throwable failure = catchThrowable(() -> Gateway.start(kind, properties).close());
        assertThat(failure).as("the application must not start").isNotNull();
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage());
    }

    @ParameterizedTest
    @EnumSource
    void namesEveryMistakeItsPropertyItsValueAndWhatIsAllowed(Kind kind) {
        List<String> routes = new ArrayList<>();
        String[][] filters = {
            {"RateLimit=10/mim, ip"},
            {"RateLimit=partnrs"},
            {"RateLimit=10/min, hedder:X-Plan"},
            {"RateLimit=10/min, route"},
            {"RateLimit=10/min, ip", "RateLimit=5/s, ip"},
            {"RateLimit=10/min, ip, all"},
            {"RateLimit=20/min, ip, all"},
            {"RateLimit=partners, ip"},
            {"RateLimit=10/min, ip, all, 3"},
            {"RateLimit="},
        };
        for (int i = 0; i < filters.length; i++) {
            routes.addAll(Gateway.route(kind, i, "r" + i, NOWHERE, "/" + i, filters[i]));
        }
        String costly = kind.prefix() + ".routes[" + filters.length + "]";
        routes.addAll(List.of(
                costly + ".id=costly",
                costly + ".uri=" + NOWHERE,
                costly + ".predicates[0]=Path=/costly",
                costly + ".filters[0].name=RateLimit",
                costly + ".filters[0].args.limit=10/min, 5/s",
                costly + ".filters[0].args.cost=6",
                costly + ".filters[1].name=RateLimit",
                costly + ".filters[1].args.limit=10/min",
                costly + ".filters[1].args.subjct=ip",
                "headgate.rules.partners.limits=1/h"));

        String message = failure(kind, routes);

        String at = kind.prefix() + ".routes[";
        assertThat(message.lines().skip(1))
                .hasSize(11)
                .anySatisfy(line -> assertThat(line)
                        .startsWith("- " + at + "0].filters[0] = RateLimit=10/mim, ip: ")
                        .contains("min"))
                .anySatisfy(line -> assertThat(line)
                        .startsWith("- " + at + "1].filters[0] = RateLimit=partnrs: ")
                        .contains("neither a limit such as 100/min nor a rule", "[partners]"))
                .anySatisfy(line -> assertThat(line)
                        .startsWith("- " + at + "2].filters[0] = RateLimit=10/min, hedder:X-Plan: ")
                        .contains("header:NAME"))
                .anySatisfy(line ->
                        assertThat(line).startsWith("- " + at + "3].filters[0]").contains("write global"))
                .anySatisfy(line -> assertThat(line)
                        .startsWith("- " + at + "4].filters[1]")
                        .contains(at + "4].filters[0]", "give one of them a name"))
                .anySatisfy(line ->
                        assertThat(line).startsWith("- " + at + "6].filters[0]").contains("routes all", "10/min"))
                .anySatisfy(line ->
                        assertThat(line).startsWith("- " + at + "7].filters[0]").contains("write nothing beside it"))
                .anySatisfy(line ->
                        assertThat(line).startsWith("- " + at + "8].filters[0]").contains("long form"))
                .anySatisfy(line ->
                        assertThat(line).startsWith("- " + at + "9].filters[0]").contains("needs a limit"))
                .anySatisfy(line -> assertThat(line)
                        .startsWith("- " + at + "10].filters[0]")
                        .contains("a cost of 6 can never be granted under 5/s"))
                .anySatisfy(line -> assertThat(line)
                        .startsWith("- " + at + "10].filters[1]")
                        .contains("'subjct' is not known", "subject"));
    }

    /** The gateway makes up an id at each start: no instance would share the budget with another. The MVC gateway insists on ids itself. */
    @Test
    void aRouteWithABudgetOfItsOwnNeedsAnId() {
        List<String> routes = new ArrayList<>();
        routes.addAll(Gateway.route(Kind.WEBFLUX, 0, "", NOWHERE, "/a", "RateLimit=10/min"));
        routes.addAll(Gateway.route(Kind.WEBFLUX, 1, "", NOWHERE, "/b", "RateLimit=10/min, ip, all"));
        routes.addAll(Gateway.route(Kind.WEBFLUX, 2, "", NOWHERE, "/c", "RateLimit=partners"));
        routes.addAll(Gateway.route(Kind.WEBFLUX, 3, "", NOWHERE, "/d"));
        String filter = Kind.WEBFLUX.prefix() + ".routes[3].filters[0]";
        routes.add(filter + ".name=RequestRateLimiter");
        routes.add(filter + ".args[redis-rate-limiter.replenishRate]=1");
        routes.removeIf(property -> property.endsWith(".id="));
        routes.add("headgate.rules.partners.limits=1/h");

        assertThat(failure(Kind.WEBFLUX, routes).lines().skip(1))
                .hasSize(2)
                .allSatisfy(line -> assertThat(line).contains("give the route an id"))
                .anySatisfy(line -> assertThat(line).contains("routes[0].filters[0]"))
                .anySatisfy(line -> assertThat(line).contains("routes[3].filters[0]"));
    }

    @Test
    void theRequestRateLimiterIsCheckedAsWell() {
        List<String> routes = new ArrayList<>();
        String[][] arguments = {
            {"redis-rate-limiter.replenishRate=1", "redis-rate-limiter.requestedTokens=2"},
            {"redis-rate-limiter.replenishRate=0"},
            {"redis-rate-limiter.replenishRat=1"},
            {"headgate.limits=10/mim"},
            {"headgate.limits=10/min", "redis-rate-limiter.replenishRate=1"},
            {"key-resolver=#{@principalNameKeyResolver}"},
            {"redis-rate-limiter.replenishRate=1", "redis-rate-limiter.burstCapacity=3000000000"},
            {"redis-rate-limiter.replenishRate=ten"},
        };
        for (int i = 0; i < arguments.length; i++) {
            routes.addAll(Gateway.route(Kind.WEBFLUX, i, "r" + i, NOWHERE, "/" + i));
            String filter = Kind.WEBFLUX.prefix() + ".routes[" + i + "].filters[0]";
            routes.add(filter + ".name=RequestRateLimiter");
            for (String argument : arguments[i]) {
                int equals = argument.indexOf('=');
                routes.add(filter + ".args[" + argument.substring(0, equals) + "]" + argument.substring(equals));
            }
        }

        String message = failure(Kind.WEBFLUX, routes);

        assertThat(message.lines().skip(1)).hasSize(arguments.length);
        assertThat(message)
                .contains("can never be granted under 1/s")
                .contains("replenishRate must be at least 1, not 0")
                .contains("'redis-rate-limiter.replenishRat' is not known")
                .contains("write one of the two")
                .contains("needs redis-rate-limiter.replenishRate")
                .contains("burst must be between 1 and 2147483647")
                .contains("must be a number");
    }

    /** Known bug C6. */
    @Test
    void aSecondRequestRateLimiterWouldReplaceTheFirst() {
        List<String> routes = new ArrayList<>(Gateway.route(Kind.WEBFLUX, 0, "r", NOWHERE, "/r"));
        for (int i = 0; i < 2; i++) {
            String filter = Kind.WEBFLUX.prefix() + ".routes[0].filters[" + i + "]";
            routes.add(filter + ".name=RequestRateLimiter");
            routes.add(filter + ".args[redis-rate-limiter.replenishRate]=" + (i + 1));
        }

        assertThat(failure(Kind.WEBFLUX, routes))
                .contains("routes[0].filters[1]", "would replace the limit of", "headgate.limits");
    }

    @Test
    void nothingHappensWithoutAGateway() {
        new ReactiveWebApplicationContextRunner()
                .withUserConfiguration(HeadgateGatewayAutoConfiguration.class)
                .withClassLoader(new org.springframework.boot.test.context.FilteredClassLoader(
                        "org.springframework.cloud.gateway"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(RouteLimits.class));
    }
}
