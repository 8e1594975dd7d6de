package io.headgate.http.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Headgate;
import io.headgate.TimeSource;
import io.headgate.http.BoundRule;
import io.headgate.http.Bypass;
import io.headgate.http.LedgerFactory;
import io.headgate.http.Rule;
import io.headgate.http.RuleSet;
import io.headgate.http.Seeds;
import io.headgate.http.Subject;
import io.headgate.http.SubjectResolver;
import io.headgate.http.Subjects;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.springframework.util.AntPathMatcher;

/** Which rules a request meets: the trie and the list must agree, and both with what is written. */
class RuleSetTest {

    private final RuleCompiler compiler = new RuleCompiler(
            new NoSubjects(), LedgerFactory.of(Headgate.builder().build()), TimeSource.system(), Map.of(), Map.of());

    @Test
    void putsTheMoreSpecificRuleFirst() {
        RuleSet rules =
                compile(rule("all", "/**"), rule("api", "/api/**"), rule("login", "/api/login"), rule("v", "/api/{x}"));

        assertThat(match(rules, "GET", "/api/login")).containsExactly("login");
        assertThat(match(rules, "GET", "/api/logout")).containsExactly("v");
        assertThat(match(rules, "GET", "/api/a/b")).containsExactly("api");
        assertThat(match(rules, "GET", "/index")).containsExactly("all");
    }

    @Test
    void putsPriorityBeforeSpecificity() {
        RuleSet rules = compile(
                rule("login", "/api/login"),
                named("api", "/api/**").priority(1).methods("POST").build());

        assertThat(match(rules, "POST", "/api/login")).containsExactly("api");
        assertThat(match(rules, "GET", "/api/login")).containsExactly("login");
    }

    @Test
    void putsTheFirstWrittenFirstAmongEquals() {
        RuleSet rules = compile(
                named("one", "/api/{x}").methods("GET").build(),
                named("two", "/api/{y}").build());

        assertThat(match(rules, "GET", "/api/a")).containsExactly("one");
        assertThat(match(rules, "POST", "/api/a")).containsExactly("two");
    }

    /** MISSION C2. */
    @Test
    void leavesOutWhatIsExcluded() {
        RuleSet rules = compile(named("api", "/api/**")
                .exclude("/api/health", "/api/metrics/**")
                .build());

        assertThat(match(rules, "GET", "/api/a")).containsExactly("api");
        assertThat(match(rules, "GET", "/api/health")).isEmpty();
        assertThat(match(rules, "GET", "/api//health")).isEmpty();
        assertThat(match(rules, "GET", "/api/metrics/jvm")).isEmpty();
    }

    /** Requests need not be looked at where no rule stands; one that is off does not stand anywhere. */
    @Test
    void knowsWhereNobodyIsStopped() {
        List<Rule> rules = List.of(
                named("late", "/late").build(),
                named("off", "/**")
                        .stage(Rule.Stage.FILTER)
                        .behavior(Rule.Behavior.OFF)
                        .build());
        RuleSet set = compiler.compile(rules);
        assertThat(set.isEmpty(Rule.Stage.FILTER)).isTrue();
        assertThat(set.isEmpty(Rule.Stage.HANDLER)).isFalse();
        assertThat(RuleSet.EMPTY.isEmpty(Rule.Stage.HANDLER)).isTrue();
    }

    /** Known bug P18: nothing is left of a request for the application itself, and yet it is for its root. */
    @Test
    void takesAnEmptyPathForTheRoot() {
        List<Rule> rules = List.of(rule("root", "/"), rule("rest", "/**"));
        RuleSet set = compiler.compile(rules);
        assertThat(match(set, "GET", "")).isEqualTo(match(set, "GET", "/")).containsExactly("root");
        assertThat(set.explain("GET", "").findings())
                .isEqualTo(set.explain("GET", "/").findings());
    }

    /** Known bugs M01, M03: HEAD counts as GET; a method nobody knows meets the rules for all methods. */
    @Test
    void looksAtTheMethod() {
        RuleSet rules = compile(named("reads", "/a").methods("get").build(), rule("any", "/**"));

        assertThat(match(rules, "GET", "/a")).containsExactly("reads");
        assertThat(match(rules, "HEAD", "/a")).containsExactly("reads");
        assertThat(match(rules, "POST", "/a")).containsExactly("any");
        assertThat(match(rules, "BREW", "/a")).containsExactly("any");
    }

    @Test
    void checksRulesForAllBesideTheFirst() {
        RuleSet rules = compile(
                rule("api", "/api/**"),
                rule("login", "/api/login"),
                named("ceiling", "/api/**", "/**").match(Rule.Match.ALL).build(),
                named("roof", "/**").match(Rule.Match.ALL).priority(5).build());

        assertThat(match(rules, "GET", "/api/login")).containsExactly("roof", "ceiling", "login");
        assertThat(match(rules, "GET", "/x")).containsExactly("roof", "ceiling");
    }

    /** A rule in shadow mode must not take the place of one that is enforced. */
    @Test
    void decidesInShadowModeBesideTheRuleThatIsEnforced() {
        RuleSet rules = compile(
                rule("api", "/api/**"),
                named("shadow", "/api/login").behavior(Rule.Behavior.SHADOW).build(),
                named("late", "/**").behavior(Rule.Behavior.SHADOW).build(),
                named("beside", "/**")
                        .behavior(Rule.Behavior.SHADOW)
                        .match(Rule.Match.ALL)
                        .build());

        assertThat(match(rules, "GET", "/api/login")).containsExactly("api", "beside", "shadow");
        assertThat(match(rules, "GET", "/x")).containsExactly("beside", "late");
    }

    /** Whichever is written first, or is more specific: a second limit on the same path is in shadow mode. */
    @Test
    void decidesASecondRuleInShadowModeOnTheSamePath() {
        RuleSet rules = compile(
                rule("key", "/api/**"),
                named("second", "/api/**").behavior(Rule.Behavior.SHADOW).build(),
                named("urgent", "/api/urgent").priority(1).build());

        assertThat(match(rules, "GET", "/api/a")).containsExactly("key", "second");
        assertThat(match(rules, "GET", "/api/urgent")).containsExactly("urgent", "second");
    }

    /** So that a set in shadow mode counts what it would count in force. */
    @Test
    void letsShadowRulesGiveWayToEachOther() {
        RuleSet rules = compile(
                named("wide", "/api/**").behavior(Rule.Behavior.SHADOW).build(),
                named("narrow", "/api/login").behavior(Rule.Behavior.SHADOW).build());

        assertThat(match(rules, "GET", "/api/login")).containsExactly("narrow");
        assertThat(match(rules, "GET", "/api/a")).containsExactly("wide");
    }

    @Test
    void forgetsRulesThatAreOff() {
        RuleSet rules = compile(
                rule("api", "/api/**"),
                named("off", "/api/a").behavior(Rule.Behavior.OFF).build());

        assertThat(match(rules, "GET", "/api/a")).containsExactly("api");
        assertThat(rules.boundRules()).hasSize(1);
    }

    @Test
    void keepsStagesApart() {
        RuleSet rules = compile(
                rule("late", "/api/login"),
                named("early", "/api/**").stage(Rule.Stage.FILTER).build());

        assertThat(match(rules, "GET", "/api/login")).containsExactly("late");
        assertThat(rules.match(Rule.Stage.FILTER, "GET", "/api/login"))
                .extracting(BoundRule::name)
                .containsExactly("early");
    }

    /** The trie's oracle is the list, and the list's is Spring's matcher. */
    @Test
    void answersAsTheListAndTheListAsSpring() {
        Random random = Seeds.random(getClass());
        RandomPatterns patterns = new RandomPatterns(random);
        AntPathMatcher spring = new AntPathMatcher();
        int several = 0;
        for (int round = 0; round < Seeds.rounds(1_000); round++) {
            List<Rule> rules = new ArrayList<>();
            for (int i = random.nextInt(12); i >= 0; i--) {
                rules.add(randomRule(random, patterns, "rule" + i));
            }
            CompiledRules trie = unchecked(rules);
            for (int i = 0; i < 20; i++) {
                String pattern = rules.get(random.nextInt(rules.size())).paths().get(0);
                String path = random.nextInt(4) == 0 ? patterns.path() : patterns.pathLike(pattern);
                String method = random.nextBoolean() ? "GET" : "POST";

                List<BoundRule> expected = LinearSearch.match(trie, Rule.Stage.HANDLER, method, path);
                assertThat(trie.find(Rule.Stage.HANDLER, method, path))
                        .as("%s %s in %s", method, path, rules)
                        .isEqualTo(expected);
                several += expected.size() > 1 ? 1 : 0;
                List<Rule> checked = trie.explainReading(method, path).checked();
                assertThat(checked)
                        .as("explaining %s %s in %s", method, path, rules)
                        .extracting(Rule::name)
                        .isEqualTo(names(expected));
                for (Rule each : checked) {
                    assertThat(each.paths()).anyMatch(text -> spring.match(text, path));
                    assertThat(each.exclude()).noneMatch(text -> spring.match(text, path));
                }
            }
        }
        assertThat(several).as("requests that met several rules").isGreaterThan(1_000);
    }

    /** The winner is one that Spring's comparator puts no other before, unless that one is before it in a circle. */
    @Test
    void choosesWhatSpringWouldSortFirst() {
        Random random = Seeds.random(getClass());
        RandomPatterns patterns = new RandomPatterns(random);
        AntPathMatcher spring = new AntPathMatcher();
        int compared = 0;
        for (int round = 0; round < Seeds.rounds(5_000); round++) {
            String one = patterns.pattern();
            String two = patterns.pattern();
            String path = patterns.pathLike(one);
            if (!spring.match(one, path) || !spring.match(two, path)) {
                continue;
            }
            compared++;
            CompiledRules trie = unchecked(List.of(rule("one", one), rule("two", two)));
            String first = spring.getPatternComparator(path).compare(two, one) < 0 ? "two" : "one";
            assertThat(names(trie.find(Rule.Stage.HANDLER, "GET", path)))
                    .as("%s and %s on %s", one, two, path)
                    .containsExactly(first);
        }
        assertThat(compared).isGreaterThan(100);
    }

    /** However many segments a client sends, a lookup is over soon; a search that tried all ways would never be. */
    @Test
    void staysFastOnPathsMadeToHurt() {
        RuleSet rules = compile(rule("deep", "/**/a/**/a/**/a/**/a/**/a/**/b"), rule("other", "/**/a/*/**/a/**/c/d"));

        assertThat(match(rules, "GET", "/a".repeat(4_000))).isEmpty();
        assertThat(match(rules, "GET", "/a".repeat(4_000) + "/b")).containsExactly("deep");
    }

    private Rule randomRule(Random random, RandomPatterns patterns, String name) {
        Rule.Builder rule = random.nextBoolean()
                ? named(name, patterns.pattern())
                : named(name, patterns.pattern(), patterns.pattern());
        rule.priority(random.nextInt(4) == 0 ? 1 : 0);
        rule.match(random.nextInt(4) == 0 ? Rule.Match.ALL : Rule.Match.FIRST);
        rule.behavior(random.nextInt(4) == 0 ? Rule.Behavior.SHADOW : Rule.Behavior.ENFORCE);
        if (random.nextInt(3) == 0) {
            rule.methods("GET");
        }
        String exclusion = patterns.pattern();
        boolean all = rule.build().paths().stream()
                .allMatch(path -> AntPattern.parse(exclusion).covers(AntPattern.parse(path)));
        if (random.nextInt(3) == 0 && !all) {
            rule.exclude(exclusion);
        }
        return rule.build();
    }

    /** The rules, each of which must be valid by itself. */
    private CompiledRules unchecked(List<Rule> rules) {
        List<BoundRule> bound = new ArrayList<>();
        List<Candidate> candidates = new ArrayList<>();
        for (Rule rule : rules) {
            BoundRule one = compiler.compile(List.of(rule)).boundRules().get(0);
            bound.add(one);
            rule.paths()
                    .forEach(
                            path -> candidates.add(Candidate.of(candidates.size(), rule, one, AntPattern.parse(path))));
        }
        return new CompiledRules(rules, candidates, bound, List.of(), false);
    }

    private CompiledRules compile(Rule... rules) {
        return (CompiledRules) compiler.compile(List.of(rules));
    }

    private static Rule.Builder named(String name, String... paths) {
        return Rule.named(name).paths(paths).limits("10/min");
    }

    private static Rule rule(String name, String path) {
        return named(name, path).build();
    }

    private static List<String> match(RuleSet rules, String method, String path) {
        CompiledRules compiled = (CompiledRules) rules;
        List<BoundRule> found = compiled.find(Rule.Stage.HANDLER, method, path);
        assertThat(LinearSearch.match(compiled, Rule.Stage.HANDLER, method, path.isEmpty() ? "/" : path))
                .isEqualTo(found);
        return names(found);
    }

    private static List<String> names(List<BoundRule> boundRules) {
        return boundRules.stream().map(BoundRule::name).toList();
    }

    private static final class NoSubjects implements Subjects {

        @Override
        public SubjectResolver resolver(List<String> words, Rule.Missing missing) {
            return request -> Subject.absent();
        }

        @Override
        public Bypass bypass(List<String> entries, List<String> words) {
            return Bypass.NONE;
        }

        @Override
        public boolean clientControlled(List<String> words) {
            return false;
        }
    }
}
