package io.headgate.spring.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.FailurePolicy;
import io.headgate.Headgate;
import io.headgate.Plan;
import io.headgate.RateLimiter;
import io.headgate.Store;
import io.headgate.StoreException;
import io.headgate.http.DecisionListener;
import io.headgate.http.RequestView;
import io.headgate.http.Rule;
import io.headgate.http.RuleSource;
import io.headgate.http.SubjectResolver;
import io.headgate.spring.RateLimit;
import io.headgate.spring.boot.actuate.StoreMetrics;
import io.headgate.spring.line.Line;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.yaml.snakeyaml.Yaml;

/** What operators can measure, and that the dashboard and the guide tell of nothing else. */
class MetersTest {

    private static final Path DOCS = Path.of("..", "docs");

    private final UnreliableStore store = new UnreliableStore();
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    private final ApplicationContextRunner inMemory = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    Line.METRICS,
                    HeadgateAutoConfiguration.class,
                    HeadgateMetricsAutoConfiguration.class,
                    Line.HEADGATE_HEALTH))
            .withBean(MeterRegistry.class, () -> registry)
            .withBean("broken", SubjectResolver.class, () -> request -> {
                throw new IllegalStateException("broken");
            })
            .withPropertyValues(
                    "headgate.instances=1",
                    "headgate.guard.deadline=10s",
                    "headgate.guard.open-for=1m",
                    "headgate.rules[0].name=api",
                    "headgate.rules[0].path=/**",
                    "headgate.rules[0].subject=broken",
                    "headgate.rules[0].on-store-failure=closed",
                    "headgate.rules[0].limits=1/h");

    private final ApplicationContextRunner overAStore = inMemory.withBean(Store.class, () -> store);

    @Test
    void tellsHowAStoreFails() {
        overAStore.run(context -> {
            RateLimiter limiter = limiter(context);
            limiter.tryAcquire("ann");
            store.failWith(StoreException.Reason.READ_ONLY);
            for (int i = 0; i < 8; i++) {
                assertThat(limiter.tryAcquire("bob").degraded()).isTrue();
            }
            assertThat(count("headgate.store.failures", "reason", "read-only")).isEqualTo(5);
            assertThat(count("headgate.store.failures", "reason", "breaker")).isEqualTo(3);
            assertThat(registry.get("headgate.store.latency")
                            .tag("outcome", "answered")
                            .timer()
                            .count())
                    .isEqualTo(1);
            assertThat(registry.get("headgate.store.latency")
                            .tag("outcome", "failed")
                            .timer()
                            .count())
                    .isEqualTo(5);
            assertThat(registry.get("headgate.store.breakers.open").gauge().value())
                    .isEqualTo(1);
            assertThat(registry.get("headgate.store.taken.back")
                            .functionCounter()
                            .count())
                    .isZero();
        });
    }

    /** The clock of the meter does not change who waits for the store. */
    @Test
    void stillAsksAStoreThatBlocksOnThreadsOfItsOwn() {
        overAStore.run(context -> {
            limiter(context).tryAcquire("ann");
            assertThat(store.asked()).isNotNull().isNotSameAs(Thread.currentThread());
        });
    }

    /** DESIGN section 5: degraded is a detail, the application is up. */
    @Test
    void isUpAndSaysThatItIsDegraded() {
        overAStore.run(context -> {
            assertThat(Line.details(context))
                    .containsEntry("degraded", false)
                    .containsEntry("store", "UnreliableStore")
                    .doesNotContainKey("failures");

            store.failWith(StoreException.Reason.TIMEOUT);
            for (int i = 0; i < 6; i++) {
                limiter(context).tryAcquire("ann");
            }
            Map<String, Object> degraded = Line.details(context);
            assertThat(degraded).containsEntry("degraded", true).containsKey("failingFor");
            assertThat(degraded.get("failures")).hasToString("{breaker=1, timeout=5}");
        });
    }

    @Test
    void saysNothingAboutAGuardThatIsNotThere() {
        inMemory.run(context -> {
            assertThat(Line.details(context)).containsOnlyKeys("store").containsEntry("store", "MemoryStore");
            assertThat(registry.find("headgate.store.failures").meters()).isEmpty();
            assertThat(registry.get("headgate.keys").gauge().value()).isZero();
            assertThat(registry.get("headgate.keys.overflow").functionCounter().count())
                    .isZero();
        });
    }

    @Test
    void canBeSwitchedOff() {
        overAStore
                .withPropertyValues("management.health.headgate.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(Line.HEALTH_INDICATOR));
        overAStore
                .withClassLoader(new FilteredClassLoader(Line.HEALTH_INDICATOR))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("headgateHealthIndicator"));
        overAStore
                .withClassLoader(new FilteredClassLoader(MeterRegistry.class))
                .run(context -> assertThat(context).doesNotHaveBean(StoreMetrics.class));
    }

    @Test
    void countsWhatAClosedRuleAnswers() {
        overAStore.withPropertyValues("headgate.rules[0].subject=ip").run(context -> {
            store.failWith(StoreException.Reason.UNREACHABLE);
            Decision decision = Checks.check(context, new AnyRequest()).decision();
            assertThat(decision).isInstanceOf(Decision.Unavailable.class);
            assertThat(registry.get("headgate.decisions")
                            .tags("rule", "api", "outcome", "unavailable")
                            .counter()
                            .count())
                    .isEqualTo(1);
        });
    }

    @Test
    void countsWhatListenersThrow() {
        Failing failing = new Failing();
        inMemory.withPropertyValues("headgate.rules[0].subject=ip")
                .withBean(DecisionListener.class, () -> failing)
                .run(context -> {
                    check(context);
                    check(context);
                    assertThat(registry.get("headgate.listeners.failures")
                                    .functionCounter()
                                    .count())
                            .isEqualTo(2);
                    assertThat(registry.get("headgate.listeners.missed")
                                    .functionCounter()
                                    .count())
                            .isZero();
                });
    }

    /** Prometheus sees no rate of a counter that begins with its first increase, and so would miss the first denial. */
    @Test
    void countsFromZero() {
        List<Rule> rules = new CopyOnWriteArrayList<>(List.of(
                Rule.named("first").paths("/a").limits("1/h").build(),
                Rule.named("shadow")
                        .paths("/a")
                        .limits("1/h")
                        .behavior(Rule.Behavior.SHADOW)
                        .build()));
        AtomicReference<Runnable> reload = new AtomicReference<>();
        inMemory.withConfiguration(AutoConfigurations.of(HeadgateMethodAutoConfiguration.class))
                .withBean(RuleSource.class, () -> new RuleSource() {
                    @Override
                    public List<Rule> rules() {
                        return rules;
                    }

                    @Override
                    public void onChange(Runnable changed) {
                        reload.set(changed);
                    }
                })
                .withBean(Annotated.class)
                .withBean(AnnotatedLater.class, AnnotatedLater::new, definition -> definition.setLazyInit(true))
                .run(context -> {
                    String[] enforced = {
                        "allowed", "degraded-allowed", "degraded-denied", "denied", "impossible", "unavailable"
                    };
                    assertThat(outcomes("first")).containsExactly(enforced);
                    assertThat(outcomes("shadow")).containsExactly("shadow-allowed", "shadow-denied");
                    assertThat(outcomes("annotated")).containsExactly(enforced);
                    assertThat(outcomes("later")).isEmpty();
                    assertThat(registry.get("headgate.failures")
                                    .tags("rule", "first", "policy", "local")
                                    .counter()
                                    .count())
                            .isZero();

                    context.getBean(AnnotatedLater.class);
                    assertThat(outcomes("later")).containsExactly(enforced);
                    rules.add(Rule.named("second").paths("/b").limits("1/h").build());
                    reload.get().run();
                    assertThat(outcomes("second")).containsExactly(enforced);
                });
    }

    /** The outcomes that are counted of a rule, all of which are still 0. */
    private Set<String> outcomes(String rule) {
        return registry.find("headgate.decisions").tag("rule", rule).counters().stream()
                .filter(counter -> counter.count() == 0)
                .map(counter -> counter.getId().getTag("outcome"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Every meter and every outcome that the dashboard and the alerts ask for is one that Prometheus is really told. */
    @ParameterizedTest
    @CsvSource({"headgate.json, 10", "alerts.yml, 5"})
    void hasEveryMeterThatIsAskedFor(String file, int atLeast) throws IOException {
        String text = Files.readString(DOCS.resolve("grafana").resolve(file)).replace("\\\"", "\"");
        Set<String> asked = found("headgate_\\w+", text);
        Set<String> outcomes = found("(?<=outcome=~?\")[a-z|-]+(?=\")", text);
        assertThat(asked).hasSizeGreaterThan(atLeast);
        assertThat(outcomes).isNotEmpty();
        whenAllHasHappened(() -> {
            String told = registry.scrape();
            for (String name : asked) {
                assertThat(told).containsPattern("(?m)^" + name + "[ {]");
            }
            for (String outcome : String.join("|", outcomes).split("\\|", -1)) {
                assertThat(told).contains("outcome=\"" + outcome + "\"");
            }
        });
    }

    /** What the guide says to watch comes first, at a glance. */
    @Test
    void leadsWithWhatTheGuideSaysToWatch() throws IOException {
        Map<String, Object> dashboard =
                JsonParserFactory.getJsonParser().parseMap(Files.readString(DOCS.resolve("grafana/headgate.json")));
        List<?> panels = (List<?>) dashboard.get("panels");
        assertThat(panels.subList(0, 4))
                .allSatisfy(panel -> {
                    assertThat(in(panel, "type")).isEqualTo("stat");
                    assertThat(in(panel, "gridPos", "y")).isEqualTo(0);
                    assertThat((List<?>) in(panel, "fieldConfig", "defaults", "thresholds", "steps"))
                            .hasSize(3);
                })
                .extracting(panel -> in(panel, "title"))
                .containsExactly("Denied", "Degraded", "Store latency", "Store outage");
    }

    private static Object in(Object node, String... path) {
        Object at = node;
        for (String name : path) {
            at = ((Map<?, ?>) at).get(name);
        }
        return at;
    }

    /** Each alert has what Prometheus and whoever is woken by it need, and the guide explains it. */
    @Test
    void explainsEveryAlert() throws IOException {
        Map<String, List<Map<String, List<Map<String, Object>>>>> file =
                new Yaml().load(Files.readString(DOCS.resolve("grafana/alerts.yml")));
        List<Map<String, Object>> alerts = file.get("groups").get(0).get("rules");
        Set<String> explained =
                found("(?m)(?<=^\\| `)Headgate\\w+(?=` \\|)", Files.readString(DOCS.resolve("guide/operations.md")));
        assertThat(alerts).allSatisfy(alert -> {
            assertThat(alert).containsKeys("expr", "labels", "annotations");
            assertThat(alert.get("labels").toString()).matches("\\{severity=(warning|critical)}");
            assertThat(alert.get("annotations").toString()).contains("summary=").contains("$labels");
        });
        assertThat(alerts).extracting(alert -> alert.get("alert")).containsExactlyInAnyOrderElementsOf(explained);
    }

    /** Known bug H12: the guide lists every meter and every tag, and there are no others. */
    @Test
    void hasTheMetersOfTheGuideAndNoOthers() throws IOException {
        Set<String> told = found(
                "(?m)^\\| `headgate\\.[a-z.]+` \\|[^|]*\\|", Files.readString(DOCS.resolve("guide/spring-boot.md")));
        whenAllHasHappened(() -> assertThat(registry.getMeters().stream()
                        .map(Meter::getId)
                        .filter(id -> id.getName().startsWith("headgate."))
                        .map(MetersTest::line)
                        .collect(Collectors.toSet()))
                .containsExactlyInAnyOrderElementsOf(told));
    }

    /** How the table of the guide begins to tell of a meter; the rule is the first of its tags. */
    private static String line(Meter.Id id) {
        String tags = id.getTags().stream()
                .map(tag -> tag.getKey())
                .sorted(Comparator.comparing(tag -> !tag.equals("rule")))
                .map(tag -> "`" + tag + "`")
                .collect(Collectors.joining(", "));
        return "| `" + id.getName() + "` | " + tags + (tags.isEmpty() ? "|" : " |");
    }

    /** Lets everything happen that can be measured and looks at it, before the first application closes the registry. */
    private void whenAllHasHappened(Runnable look) {
        overAStore.run(context -> {
            check(context);
            overAStore.withPropertyValues("headgate.rules[0].subject=ip").run(another -> {
                check(another);
                inMemory.withPropertyValues("headgate.rules[0].behavior=shadow").run(third -> look.run());
            });
        });
    }

    private static void check(AssertableApplicationContext context) {
        Checks.check(context, new AnyRequest());
    }

    private static Set<String> found(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(result -> result.group())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private double count(String meter, String tag, String value) {
        return registry.get(meter).tag(tag, value).functionCounter().count();
    }

    private static RateLimiter limiter(AssertableApplicationContext context) {
        return context.getBean(Headgate.class).limiter("test", Plan.parse("100/h"), FailurePolicy.LOCAL);
    }

    static class Annotated {

        @RateLimit(value = "1/h", name = "annotated")
        public void call() {}
    }

    static class AnnotatedLater {

        @RateLimit(value = "1/h", name = "later")
        public void call() {}
    }

    /** Tells at once that it cannot be told. */
    private static final class Failing implements DecisionListener {

        @Override
        public void decided(String scope, Decision decision, boolean enforced) {
            throw new AssertionError("told");
        }

        @Override
        public boolean quick() {
            return true;
        }
    }

    /** Of nobody in particular. */
    private static final class AnyRequest implements RequestView {

        @Override
        public String method() {
            return "GET";
        }

        @Override
        public String path() {
            return "/x";
        }

        @Override
        public List<String> headers(String name) {
            return List.of();
        }

        @Override
        public String peerAddress() {
            return "10.0.0.1";
        }

        @Override
        public String principal() {
            return null;
        }

        @Override
        public String route() {
            return null;
        }
    }
}
