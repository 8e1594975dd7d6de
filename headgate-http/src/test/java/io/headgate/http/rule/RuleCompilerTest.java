package io.headgate.http.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.headgate.Headgate;
import io.headgate.TimeSource;
import io.headgate.http.BoundRule;
import io.headgate.http.Bypass;
import io.headgate.http.InvalidRulesException;
import io.headgate.http.LedgerFactory;
import io.headgate.http.Rule;
import io.headgate.http.RuleSet;
import io.headgate.http.RuleSource;
import io.headgate.http.Subject;
import io.headgate.http.SubjectResolver;
import io.headgate.http.Subjects;
import io.headgate.http.subject.StandardSubjects;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A set of rules is checked as a whole, and replaced as a whole or not at all. */
class RuleCompilerTest {

    private static final String EXAMPLES =
            "write a limit such as 100/min, 5 per 30s, 10/s burst 20 or 1000 per calendar-day Europe/Berlin";
    private static final LedgerFactory LIMITERS =
            LedgerFactory.of(Headgate.builder().build());

    private final RuleCompiler compiler = new RuleCompiler(
            new KnownSubjects(), LIMITERS, TimeSource.system(), Map.of("size", request -> 1), Map.of());

    /** A pattern that is too long is named by its beginning, with the bound. */
    @Test
    void boundsTheLengthOfPatterns() {
        String tooLong = "/**/a".repeat(AntPattern.MAX_LENGTH / 5) + "/";
        Rule rule =
                Rule.named("long").paths("/api").exclude(tooLong).limits("1/s").build();
        assertThatExceptionOfType(InvalidRulesException.class)
                .isThrownBy(() -> compiler.compile(List.of(rule)))
                .withMessageContaining(
                        "rule 'long': pattern '/**/a/**/a/**/a/**/a/**/a/**/a/**/a/**/a...' has 1001 characters; at most 1000 are allowed");
    }

    /** Known bug C11: every problem of every rule in one message. */
    @Test
    void namesEveryProblemAtOnce() {
        Rule bad = Rule.named("bad")
                .paths("api", "/a/{")
                .exclude("/{*all}")
                .methods("GET POST")
                .subject("nobody")
                .bypass("10.0.0.0/99")
                .limits("10/fortnight", "x")
                .costResolver("weight")
                .planResolver("tariff")
                .build();
        List<Rule> rules = List.of(
                bad,
                rule("good", "/good"),
                rule("good", "/other"),
                Rule.named("").build(),
                Rule.named("a:b")
                        .paths("/b")
                        .limits("10/min")
                        .algorithm("magic")
                        .build(),
                Rule.named("cheap").paths("/c").limits("10/min").cost(0).build(),
                Rule.named("dear")
                        .paths("/d")
                        .limits("100/day", "10/h", "5/min")
                        .cost(11)
                        .build(),
                Rule.named("early")
                        .paths("/e")
                        .limits("1/s")
                        .subject("ip", "principal + ip")
                        .stage(Rule.Stage.FILTER)
                        .build(),
                rule("twin", "/good"));

        assertThatExceptionOfType(InvalidRulesException.class)
                .isThrownBy(() -> compiler.compile(rules))
                .satisfies(e -> assertThat(e.problems())
                        .containsExactly(
                                "rule 'bad': pattern 'api' must start with '/'",
                                "rule 'bad': pattern '/a/{' opens a '{' and never closes it",
                                "rule 'bad': pattern '/{*all}' has '{*all}'; only a name may be in braces, and '**' matches "
                                        + "any number of segments",
                                "rule 'bad': 'GET POST' is not an HTTP method, such as GET",
                                "rule 'bad': limit '10/fortnight', column 4: expected a unit of time (ms, s, min, h, day), "
                                        + "found 'fortnight'; " + EXAMPLES,
                                "rule 'bad': limit 'x', column 1: expected a whole number of permits, found 'x'; "
                                        + EXAMPLES,
                                "rule 'bad': no cost resolver is called 'weight'; there are [size]",
                                "rule 'bad': no plan resolver is called 'tariff'; there are []",
                                "rule 'bad': unknown subject [nobody]",
                                "rule 'bad': bad bypass [10.0.0.0/99]",
                                "rule 'good': another rule has that name; names must be unique",
                                "rule '': needs a name, such as api: it identifies the budget",
                                "rule '': needs a limit, such as 100/min",
                                "rule 'a:b': a name must be 1 to 100 printable ASCII characters other than \", \\ and :",
                                "rule 'a:b': no algorithm is called 'magic'; there are [fixed-window, leaky-bucket, "
                                        + "sliding-window, sliding-window-counter, sliding-window-log, token-bucket]",
                                "rule 'cheap': a cost must be at least 1, not 0",
                                "rule 'dear': a cost of 11 can never be granted under 10/h",
                                "rule 'dear': a cost of 11 can never be granted under 5/min",
                                "rule 'early': subject 'principal' is not known yet in the filter stage; use stage handler",
                                "rule 'twin': can never apply, because rule 'good' always comes before it"))
                .withMessageContaining("20 problems")
                .withMessageContaining("rule 'dear': a cost of 11");
    }

    @Test
    void takesTheAlgorithmThatIsSaidClosestToTheLimit() {
        RuleSet rules = compiler.defaultAlgorithm("sliding-window")
                .compile(List.of(
                        named("mixed", "/mixed")
                                .limits(
                                        "5/min sliding-window-log",
                                        "2 per calendar-day Europe/Berlin",
                                        "9/s burst 20",
                                        "1/h")
                                .build(),
                        named("own", "/own")
                                .algorithm("leaky-bucket")
                                .limits("5/min", "9/h sliding-window")
                                .build()));

        assertThat(rules.boundRules())
                .extracting(point -> point.limiter().plan().toString())
                .containsExactly(
                        "[5/min sliding-window-log, 2 per calendar-day Europe/Berlin fixed-window, "
                                + "9/s burst 20 token-bucket, 1/h sliding-window]",
                        "[5/min leaky-bucket, 9/h sliding-window]");
    }

    @Test
    void saysWhichAlgorithmsThereAreIfALimitNamesAnother() {
        Rule rule = named("api", "/api").limits("5/min quota").build();

        assertThatExceptionOfType(InvalidRulesException.class)
                .isThrownBy(() -> compiler.compile(List.of(rule)))
                .withMessageContaining(
                        "rule 'api': no algorithm is called 'quota'; there are [fixed-window, leaky-bucket,");
    }

    /** Only methods are charged to it, by its name. */
    @Test
    void takesARuleWithoutAPathThatMatchesNoRequest() {
        RuleSet rules =
                compiler.compile(List.of(Rule.named("backend").limits("10/min").build(), rule("api", "/api/**")));

        assertThat(rules.boundRules()).extracting(BoundRule::name).containsExactly("backend", "api");
        for (Rule.Stage stage : Rule.Stage.values()) {
            assertThat(rules.match(stage, "GET", "/api/a"))
                    .noneMatch(each -> each.name().equals("backend"));
            assertThat(rules.match(stage, "GET", "/")).isEmpty();
        }
    }

    @Test
    void rejectsAChoiceOfRequestsWithoutAPath() {
        Rule rule = Rule.named("backend")
                .limits("10/min")
                .exclude("/a")
                .methods("GET")
                .priority(1)
                .match(Rule.Match.ALL)
                .stage(Rule.Stage.FILTER)
                .build();

        assertThatExceptionOfType(InvalidRulesException.class)
                .isThrownBy(() -> compiler.compile(List.of(rule)))
                .satisfies(e -> assertThat(e.problems())
                        .containsExactly(
                                problem("exclude"),
                                problem("methods"),
                                problem("priority"),
                                problem("match: all"),
                                problem("stage: filter")));
    }

    private static String problem(String setting) {
        return "rule 'backend': has " + setting + " but no path; add a path such as /api/**, or remove " + setting
                + " if the rule is for methods only";
    }

    /** What was meant is not known, and as it stands it would limit nobody, or let anybody pass who says it. */
    @Test
    void rejectsPlaceholdersThatNobodyHasFilledIn() {
        Rule rule = named("${app}-api", "/${prefix}/**")
                .exclude("/x/${health}")
                .bypass("${key}")
                .build();

        assertThatExceptionOfType(InvalidRulesException.class)
                .isThrownBy(() -> compiler.compile(List.of(rule)))
                .satisfies(e -> assertThat(e.problems())
                        .contains(
                                "rule '${app}-api': name '${app}-api'" + unresolved("${LIMIT:100/min}"),
                                "rule '${app}-api': path '/${prefix}/**'" + unresolved("${LIMIT:100/min}"),
                                "rule '${app}-api': exclude '/x/${health}'" + unresolved("${LIMIT:100/min}"),
                                "rule '${app}-api': bypass '${key}'" + unresolved("${key:10.0.0.0/8}")));
    }

    /** A limit that is only a placeholder is not also called a bad limit. */
    @Test
    void saysOfAnUnsetLimitOnlyThatItIsUnset() {
        Rule rule = named("api", "/api").limits("${LIMIT}").methods("${METHOD}").build();

        assertThat(RuleCompiler.problems(List.of(rule)))
                .containsExactly(
                        "rule 'api': methods '${METHOD}'" + unresolved("${METHOD:POST}"),
                        "rule 'api': limits '${LIMIT}'" + unresolved("${LIMIT:100/min}"));
    }

    /** Names that are not set are not also called unknown. */
    @Test
    void saysOfUnsetNamesOnlyThatTheyAreUnset() {
        Rule rule = named("api", "/api")
                .limits("10/min", "100/h fixed-window")
                .algorithm("${KIND}")
                .costResolver("${COSTS}")
                .planResolver("${PLANS}")
                .build();

        assertThatExceptionOfType(InvalidRulesException.class)
                .isThrownBy(() -> compiler.compile(List.of(rule)))
                .satisfies(e -> assertThat(e.problems())
                        .containsExactly(
                                "rule 'api': algorithm '${KIND}'" + unresolved("${KIND:sliding-window}"),
                                "rule 'api': cost-resolver '${COSTS}'" + unresolved("${COSTS:uploadCosts}"),
                                "rule 'api': plan-resolver '${PLANS}'" + unresolved("${PLANS:customerPlans}")));
    }

    private static String unresolved(String example) {
        return " has an unresolved placeholder; set it or give it a default as in " + example
                + ", or, in a rule file or table, write the value";
    }

    @Test
    void namesEveryBadBypassAndEveryUnknownSubject() {
        Rule rule = named("api", "/api")
                .subject("ip", "api-kye", "pricipal")
                .bypass("10.0.0.0/8", "10.0.0.0/99", "office", "2001:db8::/200")
                .build();
        RuleCompiler standard =
                new RuleCompiler(StandardSubjects.builder().build(), LIMITERS, TimeSource.system(), Map.of(), Map.of());

        assertThatExceptionOfType(InvalidRulesException.class)
                .isThrownBy(() -> standard.compile(List.of(rule)))
                .satisfies(e -> assertThat(e.problems())
                        .satisfiesExactly(
                                problem -> assertThat(problem).contains("'api-kye'", "did you mean 'api-key'?"),
                                problem -> assertThat(problem).contains("'pricipal'", "did you mean 'principal'?"),
                                problem -> assertThat(problem).contains("'10.0.0.0/99'", "10.0.0.0/8"),
                                problem -> assertThat(problem).contains("'office'"),
                                problem -> assertThat(problem).contains("'2001:db8::/200'", "2001:db8::/32")));
    }

    @Test
    void warnsOfALimitThatDeniesEverything() {
        assertThat(compiler.compile(
                                List.of(named("closed", "/c").limits("0/min").build()))
                        .warnings())
                .contains("rule 'closed' denies every request that it matches, because its limit is 0/min;"
                        + " if that is not intended, write a limit such as 100/min");
    }

    @Test
    void findsRulesThatCanNeverApply() {
        assertUnreachable(rule("first", "/a/{x}"), rule("second", "/a/{y}"));
        assertUnreachable(named("high", "/**").priority(1).build(), rule("low", "/api/**"));
        assertUnreachable(
                named("all", "/a").build(), named("get", "/a").methods("GET").build());
        assertUnreachable(
                named("get", "/a").methods("GET").build(),
                named("head", "/a").methods("HEAD").build());
        assertUnreachable(named("both", "/a", "/b").build(), rule("b", "/b"));
        assertUnreachable(
                named("shadow", "/a").behavior(Rule.Behavior.SHADOW).build(),
                named("second", "/a").behavior(Rule.Behavior.SHADOW).build());
        assertThatExceptionOfType(InvalidRulesException.class)
                .isThrownBy(() -> compiler.compile(List.of(named("nothing", "/api/x", "/api/{y}")
                        .exclude("/api/**")
                        .build())))
                .withMessageContaining("rule 'nothing': can never apply, because it excludes all of its paths");
    }

    @Test
    void leavesRulesAloneThatCanApply() {
        assertReachable(rule("wide", "/**"), rule("narrow", "/api/**"));
        assertReachable(
                named("head", "/a").methods("HEAD").build(),
                named("get", "/a").methods("GET").build());
        assertReachable(
                named("get", "/a").methods("GET").build(), named("all", "/a").build());
        assertReachable(named("some", "/**").priority(1).exclude("/a").build(), rule("a", "/a"));
        assertReachable(named("most", "/a", "/b").exclude("/a").build());
        assertReachable(named("beside", "/a").match(Rule.Match.ALL).build(), rule("a", "/a"));
        assertReachable(named("shadow", "/a").behavior(Rule.Behavior.SHADOW).build(), rule("a", "/a"));
        assertReachable(
                rule("a", "/a"),
                named("shadow", "/a").behavior(Rule.Behavior.SHADOW).build());
        assertReachable(named("off", "/a").behavior(Rule.Behavior.OFF).build(), rule("a", "/a"));
        assertReachable(named("early", "/a").stage(Rule.Stage.FILTER).build(), rule("a", "/a"));
        assertReachable(
                named("low", "/a").build(),
                named("high", "/a").priority(1).methods("GET").build());
    }

    /** PROPFIND is for WebDAV and PSOT for nobody; which is meant cannot be told. */
    @Test
    void warnsOfMethodsThatHttpDoesNotKnow() {
        Rule odd = named("odd", "/a").methods("get", "PSOT").build();
        Rule off =
                named("off", "/b").methods("PSOT").behavior(Rule.Behavior.OFF).build();

        assertThat(compiler.compile(List.of(odd, off)).warnings())
                .singleElement()
                .asString()
                .startsWith("rule 'odd' has the method PSOT, which is not a standard HTTP method");
    }

    /** Known bug H6: a subject that a client makes up wants a ceiling over it. */
    @Test
    void warnsOfMadeUpSubjectsWithoutACeiling() {
        Rule keyed = named("api", "/api/**").subject("made-up").build();
        Rule ceiling = named("ceiling", "/**").match(Rule.Match.ALL).build();
        Rule posts = named("posts", "/**").match(Rule.Match.ALL).methods("POST").build();

        assertThat(compiler.compile(List.of(keyed)).warnings())
                .singleElement()
                .asString()
                .startsWith("rule 'api' has the subject [made-up]");
        assertThat(compiler.compile(List.of(keyed, posts)).warnings()).hasSize(1);
        assertThat(compiler.compile(List.of(keyed, ceiling)).warnings()).isEmpty();
    }

    /** One that lets some pass is none; one that comes before everything is one. */
    @Test
    void knowsWhatIsACeiling() {
        Rule keyed = named("api", "/api/**").subject("made-up").build();
        Rule.Builder ceiling = named("ceiling", "/**").match(Rule.Match.ALL);

        assertThat(compiler.compile(
                                List.of(keyed, ceiling.stage(Rule.Stage.FILTER).build()))
                        .warnings())
                .isEmpty();
        assertThat(compiler.compile(List.of(
                                keyed,
                                ceiling.stage(Rule.Stage.HANDLER)
                                        .missing(Rule.Missing.SKIP)
                                        .build()))
                        .warnings())
                .hasSize(1);
    }

    @Test
    void knowsACeilingThatExcludesOnlyOthers() {
        Rule keyed = named("one", "/api/one").subject("made-up").build();

        assertThat(compiler.compile(List.of(keyed, ceilingWithout("/api/health")))
                        .warnings())
                .isEmpty();
        assertThat(compiler.compile(List.of(keyed, ceilingWithout("/api/o*"))).warnings())
                .hasSize(1);
        assertThat(compiler.compile(List.of(
                                named("all", "/api/**").subject("made-up").build(), ceilingWithout("/api/x")))
                        .warnings())
                .hasSize(1);
    }

    private static Rule ceilingWithout(String exclude) {
        return named("ceiling", "/**").match(Rule.Match.ALL).exclude(exclude).build();
    }

    /** Known bug C11: the last good set stays. */
    @Test
    void keepsTheLastGoodRules() {
        List<Rule> written = new ArrayList<>(List.of(rule("one", "/one")));
        List<Runnable> changes = new ArrayList<>();
        RuleSource source = new RuleSource() {
            @Override
            public List<Rule> rules() {
                if (written.isEmpty()) {
                    throw new IllegalStateException("the database is down");
                }
                return List.copyOf(written);
            }

            @Override
            public void onChange(Runnable changed) {
                changes.add(changed);
            }
        };
        LiveRules live = new LiveRules(source, compiler);
        RuleSet first = live.get();

        written.add(rule("two", "two"));
        assertThat(live.reload()).isFalse();
        assertThat(live.get()).isSameAs(first);

        written.clear();
        assertThat(live.reload()).isFalse();
        assertThat(live.get()).isSameAs(first);

        written.add(rule("two", "/two"));
        changes.get(0).run();
        assertThat(live.get().boundRules()).extracting(BoundRule::name).containsExactly("two");
    }

    @Test
    void missesNoChangeWhileItStarts() {
        List<Rule> written = new ArrayList<>(List.of(rule("one", "/one")));
        RuleSource source = new RuleSource() {
            @Override
            public List<Rule> rules() {
                return List.copyOf(written);
            }

            @Override
            public void onChange(Runnable changed) {
                written.set(0, rule("two", "/two")); // just before anybody listens
            }
        };

        assertThat(new LiveRules(source, compiler).get().boundRules())
                .extracting(BoundRule::name)
                .containsExactly("two");
    }

    @Test
    void doesNotStartWithBadRules() {
        assertThatExceptionOfType(InvalidRulesException.class)
                .isThrownBy(() -> new LiveRules(RuleSource.of(rule("bad", "bad")), compiler))
                .withMessage("the rules have a problem:\n- rule 'bad': pattern 'bad' must start with '/'");
    }

    /** The order of patterns has cycles: each of these three comes before the next, and the last before the first. */
    @Test
    void acceptsARuleThatWinsByAThirdOne() {
        RuleSet rules = compiler.compile(List.of(
                Rule.named("wide").paths("/**/a*", "/*/**").limits("1/s").build(), rule("narrow", "/b/**")));

        assertThat(rules.match(Rule.Stage.HANDLER, "GET", "/b/a/a"))
                .extracting(BoundRule::name)
                .containsExactly("narrow");
    }

    private void assertUnreachable(Rule hiding, Rule hidden) {
        assertThatExceptionOfType(InvalidRulesException.class)
                .isThrownBy(() -> compiler.compile(List.of(hiding, hidden)))
                .withMessageContaining("rule '" + hidden.name() + "': can never apply, because rule '" + hiding.name()
                        + "' always comes before it");
    }

    private void assertReachable(Rule... rules) {
        assertThatNoException().isThrownBy(() -> compiler.compile(List.of(rules)));
    }

    private static Rule.Builder named(String name, String... paths) {
        return Rule.named(name).paths(paths).limits("10/min");
    }

    private static Rule rule(String name, String path) {
        return named(name, path).build();
    }

    static final class KnownSubjects implements Subjects {

        @Override
        public SubjectResolver resolver(List<String> words, Rule.Missing missing) {
            if (words.contains("nobody")) {
                throw new IllegalArgumentException("unknown subject " + words);
            }
            return request -> Subject.absent();
        }

        @Override
        public Bypass bypass(List<String> entries, List<String> words) {
            if (!entries.isEmpty()) {
                throw new IllegalArgumentException("bad bypass " + entries);
            }
            return Bypass.NONE;
        }

        @Override
        public boolean clientControlled(List<String> words) {
            return words.contains("made-up");
        }
    }
}
