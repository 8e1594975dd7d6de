package io.headgate.spring.boot.autoconfigure;

import static io.headgate.spring.boot.autoconfigure.Started.assertStops;
import static io.headgate.spring.boot.autoconfigure.Started.rules;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.FailurePolicy;
import io.headgate.TimeSource;
import io.headgate.http.Rule;
import io.headgate.http.RuleSet;
import io.headgate.http.RuleSource;
import io.headgate.spring.RuleStore;
import io.headgate.spring.boot.source.PolledRules;
import io.headgate.testkit.ManualTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.bridge.SLF4JBridgeHandler;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** MISSION D7: rules in a file, changed while the application runs. */
@ExtendWith(OutputCaptureExtension.class)
class RuleFileTest {

    private static final Duration INTERVAL = Duration.ofSeconds(5);

    @TempDir
    private Path folder;

    private final ManualTime time = new ManualTime();
    private Path file;
    private ApplicationContextRunner application;

    @BeforeEach
    void begin() {
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install(); // all logs in one place
        file = folder.resolve("rules.yml");
        application = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(HeadgateAutoConfiguration.class))
                .withBean(TimeSource.class, () -> time)
                .withPropertyValues("headgate.rule-file.location=" + file);
    }

    @Test
    void readsWhatWouldStandInTheApplication() {
        write("""
                headgate:
                  rules:
                    - name: login
                      path: /api/login
                      methods: [POST]
                      limits: ["5/min", "20/h"]
                      on-store-failure: closed
                    - name: api
                      path: /api/**
                      limits: 10/min
                """);
        application
                .withPropertyValues("headgate.on-store-failure=open")
                .run(context -> assertThat(rules(context.getBean(RuleStore.class)))
                        .containsExactly(
                                Rule.named("login")
                                        .paths("/api/login")
                                        .methods("POST")
                                        .limits("5/min", "20/h")
                                        .onStoreFailure(FailurePolicy.CLOSED)
                                        .build(),
                                Rule.named("api")
                                        .paths("/api/**")
                                        .limits("10/min")
                                        .onStoreFailure(FailurePolicy.OPEN)
                                        .build()));
    }

    /** Known bug A11: nobody gets a fresh budget from a change of the rules. */
    @Test
    void takesAChangeAndForgetsNothing() {
        write(rule("3/h"));
        application.run(context -> {
            RuleStore store = context.getBean(RuleStore.class);
            store.get().boundRules().get(0).limiter().tryAcquire("ann", 2);
            write(rule("10/h"));
            time.advance(INTERVAL.multipliedBy(2));

            assertThat(rules(store)).extracting(Rule::limits).containsExactly(List.of("10/h"));
            assertThat(store.get().boundRules().get(0).limiter().peek("ann").remaining())
                    .isEqualTo(8);
        });
    }

    @Test
    void waitsUntilTheFileStandsStill() {
        write(rule("3/h"));
        application.run(context -> {
            RuleStore store = context.getBean(RuleStore.class);
            write(rule("4/h"));
            time.advance(INTERVAL);
            write(rule("5/h"));
            time.advance(INTERVAL);
            assertThat(rules(store)).extracting(Rule::limits).containsExactly(List.of("3/h"));
            time.advance(INTERVAL);
            assertThat(rules(store)).extracting(Rule::limits).containsExactly(List.of("5/h"));
        });
    }

    /** Known bug C11: one bad rule neither takes effect nor breaks the others. */
    @Test
    void rejectsABadSetAsAWholeAndOnce(CapturedOutput output) {
        write(rule("3/h"));
        application.run(context -> {
            InForce before = new InForce(context.getBean(RuleStore.class));
            write("""
                    headgate:
                      store: redis
                      rules:
                        - {name: fine, path: /fine, limits: 1/s}
                        - {name: odd, path: /odd, limits: 1/s, metods: POST}
                        - {name: even, path: /even, limits: 1/s, behavior: sometimes}
                        - {name: high, path: /high, limits: 1/s, priority: top}
                    """);
            time.advance(INTERVAL.multipliedBy(4));
            before.stays();
            assertThat(output)
                    .containsOnlyOnce("the last good rules stay in force: the rules have 4 problems")
                    .contains("headgate.store: only headgate.rules is allowed here")
                    .contains("rule 'odd': there is no property metods; use one of [algorithm, ")
                    .contains(
                            "rule 'even': behavior = sometimes: must be one of enforce (",
                            "for example behavior: enforce")
                    .contains("rule 'high': priority = top: must be a whole number, for example priority: 0");

            write(rule("10/fortnight"));
            time.advance(INTERVAL.multipliedBy(4));
            before.stays();
            assertThat(output).containsOnlyOnce("10/fortnight");

            for (String nothing : List.of("", "headgate: {}", "rules: []", "a: b\n---\na: b", ":")) {
                write(nothing);
                time.advance(INTERVAL.multipliedBy(2));
                before.stays();
            }
        });
    }

    @Test
    void takesNoRulesForAnAnswer() {
        write(rule("3/h"));
        application.run(context -> {
            write("headgate:\n  rules: []");
            time.advance(INTERVAL.multipliedBy(2));
            assertThat(rules(context.getBean(RuleStore.class))).isEmpty();
        });
    }

    @Test
    void keepsTheLastRulesWhileTheFileIsAway(CapturedOutput output) {
        write(rule("3/h"));
        application.run(context -> {
            InForce before = new InForce(context.getBean(RuleStore.class));
            delete();
            time.advance(INTERVAL.multipliedBy(3));
            before.stays();
            assertThat(output).containsOnlyOnce("cannot be read").doesNotContain("can be read again");

            write(rule("3/h"));
            time.advance(INTERVAL.multipliedBy(3));
            before.stays();
            assertThat(output).containsOnlyOnce("the rules can be read again: headgate.rule-file.location = " + file);
        });
    }

    @Test
    void stopsPollingWithTheApplication() {
        write(rule("3/h"));
        application.run(context -> {
            assertThat(time.waiting()).isEqualTo(1);
            context.getBean(PolledRules.class).stop();
            assertThat(time.waiting()).isZero();
        });
        assertThat(time.waiting()).isZero();
    }

    @Test
    void saysWhatIsWrongAtTheStart() {
        assertStops(
                application, "headgate.rule-file.location = " + file, "there is no such file", "Create a YAML file");
        write(rule("10/fortnight"));
        assertStops(application, "headgate.rule-file.location = " + file, "rule 'api'", "10/fortnight", "Correct");
        write(rule("3/h"));
        application = application.withPropertyValues("headgate.rule-file.poll-interval=10ms");
        assertStops(application, "headgate.rule-file.poll-interval = PT0.01S", "at least 100ms");
        application = application.withPropertyValues("headgate.rule-file.location=classpath:rules.yml");
        assertStops(
                application, "headgate.rule-file.location = classpath:rules.yml", "must be a path in the file system");
        application = application.withPropertyValues("headgate.rules[0].name=api");
        assertStops(application, "headgate.rules and headgate.rule-file", "only one of these places", "all but one");
    }

    /** Known bug C1: not the spelling that somebody would try first, but never without an effect. */
    @Test
    void leadsFromTheListToTheFile() {
        application = application.withPropertyValues("headgate.rules.location=" + file);
        assertStops(
                application, "headgate.rules.location = " + file, "no such property", "headgate.rule-file.location");
    }

    @Test
    void givesWayToTheSourceOfTheUser() {
        RuleSource own =
                RuleSource.of(Rule.named("own").paths("/**").limits("1/h").build());
        application
                .withBean(RuleSource.class, () -> own)
                .run(context -> assertThat(rules(context.getBean(RuleStore.class)))
                        .extracting(Rule::name)
                        .containsExactly("own"));
    }

    private static String rule(String limits) {
        return "headgate:\n  rules:\n    - {name: api, path: /api/**, limits: " + limits + "}\n";
    }

    private void write(String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void delete() {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The rules in force at one time. */
    private record InForce(RuleStore store, RuleSet rules) {

        InForce(RuleStore store) {
            this(store, store.get());
        }

        void stays() {
            assertThat(store.get()).isSameAs(rules);
        }
    }
}
