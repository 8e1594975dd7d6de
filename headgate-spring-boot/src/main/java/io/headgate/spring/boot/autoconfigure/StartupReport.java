package io.headgate.spring.boot.autoconfigure;

import io.headgate.Store;
import io.headgate.http.BoundRule;
import io.headgate.http.Rule;
import io.headgate.http.RuleSet;
import io.headgate.spring.AnnotatedLimits;
import io.headgate.spring.RuleReferences;
import io.headgate.spring.RuleStore;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;

/**
 * Logs once, when the application is ready, what is limited, where the counts are kept, and what is not limited. Of rules that are
 * changed later, it logs what they do not limit.
 */
final class StartupReport implements ApplicationListener<ApplicationReadyEvent> {

    private static final Log LOG = LogFactory.getLog("io.headgate");

    private static final int NAMED = 10;

    private final Store store;
    private final RuleStore rules;
    private final AnnotatedLimits annotations;
    private final List<RuleReferences> references;
    private final List<Endpoints> endpoints;
    private final boolean ignoresCase;
    private final Set<String> said = new LinkedHashSet<>(); // guarded by this

    /** @param ignoresCase whether rules ignore the case of paths */
    StartupReport(
            Store store,
            RuleStore rules,
            AnnotatedLimits annotations,
            List<RuleReferences> references,
            List<Endpoints> endpoints,
            boolean ignoresCase) {
        this.store = store;
        this.rules = rules;
        this.annotations = annotations;
        this.references = references;
        this.endpoints = endpoints;
        this.ignoresCase = ignoresCase;
    }

    @Override
    public void onApplicationEvent(ApplicationReadyEvent event) {
        LOG.info(line());
        rules.get().warnings().forEach(LOG::warn);
        warnOfNothing();
        rules.onChange(this::warnOfNothing);
        annotations.all().stream()
                .filter(StartupReport::deniesAll)
                .forEach(each -> LOG.warn("@RateLimit on "
                        + each.method()
                        + " denies every call, because its limit is 0; if that is not intended, write a limit such"
                        + " as 100/min"));
        if (!ignoresCase && endpoints.stream().anyMatch(Endpoints::ignoreCase)) {
            LOG.warn("handlers match paths regardless of case, but rules do not, so a request in another case bypasses"
                    + " them; set headgate.ignore-case=true");
        }
    }

    /** Warns of rules that limit nothing, unless the rules before them had the same mistake. */
    private synchronized void warnOfNothing() {
        Set<String> before = Set.copyOf(said);
        said.clear();
        said.addAll(unused());
        said.addAll(unmatched());
        said.stream().filter(warning -> !before.contains(warning)).forEach(LOG::warn);
    }

    /** Warnings about rules that limit nothing: they have no path, and nothing names them. */
    private List<String> unused() {
        Set<String> named = named();
        return rules.get().rules().stream()
                .filter(rule -> rule.behavior() != Rule.Behavior.OFF)
                .filter(rule -> rule.paths().isEmpty() && !named.contains(rule.name()))
                .map(rule -> "rule '" + rule.name() + "' limits nothing: it has no path, and no @RateLimit read so far"
                        + " names it; give it a path such as /api/**, or write @RateLimit(rule = \"" + rule.name()
                        + "\") on a method")
                .toList();
    }

    private static boolean deniesAll(AnnotatedLimits.Annotated limit) {
        return !limit.rule().plansDiffer()
                && limit.rule().plan().limits().stream().anyMatch(each -> each.permits() == 0);
    }

    String line() {
        RuleSet inForce = rules.get();
        List<Endpoints.Endpoint> handlers =
                endpoints.stream().flatMap(some -> some.all().stream()).toList();
        String line = "Headgate: " + counted(inForce) + annotated(handlers) + ", kept "
                + (store.inProcess() ? "in memory by this instance" : "in " + store);
        List<String> free = notLimited(inForce, handlers);
        return free.isEmpty() ? line : line + "; not limited: " + listed(free);
    }

    /** Warnings about paths of rules that no handler has; none if the handlers are unknown. */
    List<String> unmatched() {
        boolean anyCase = ignoresCase || endpoints.stream().anyMatch(Endpoints::ignoreCase);
        Set<String> named = named();
        return endpoints.stream()
                .flatMap(some -> some.paths().stream())
                .flatMap(known -> new UnmatchedRules(known, anyCase).warnings(rules.get(), named).stream())
                .toList();
    }

    /** The rules that annotations, or other parts of the application, refer to. */
    private Set<String> named() {
        Set<String> named = new HashSet<>();
        annotations.all().forEach(each -> named.add(each.rule().name()));
        references.forEach(each -> named.addAll(each.names()));
        return named;
    }

    private static String counted(RuleSet inForce) {
        List<BoundRule> all = inForce.boundRules();
        long shadow = all.stream().filter(each -> !each.enforced()).count();
        int off = inForce.rules().size() - all.size();
        return number(all.size(), "rule") + " in force" + (shadow == 0 ? "" : " (" + shadow + " in shadow mode)")
                + (off == 0 ? "" : ", " + off + " off");
    }

    private String annotated(List<Endpoints.Endpoint> handlers) {
        long limited = handlers.stream().filter(Endpoints.Endpoint::limited).count();
        long others = annotations.all().stream()
                .filter(each -> !each.handler())
                .map(AnnotatedLimits.Annotated::method)
                .distinct()
                .count();
        String counted = (limited == 0 ? "" : " and " + number(limited, "handler"))
                + (others == 0 ? "" : " and " + number(others, limited == 0 ? "method" : "other method"));
        return counted.isEmpty() ? "" : counted + " limited by annotation";
    }

    private static String number(long count, String what) {
        return count == 1 ? "1 " + what : count + " " + what + "s";
    }

    private static List<String> notLimited(RuleSet inForce, List<Endpoints.Endpoint> handlers) {
        Set<String> free = new TreeSet<>();
        for (Endpoints.Endpoint handler : handlers) {
            if (!handler.limited()) {
                free.addAll(handler.free((method, path) -> isLimited(inForce, Rule.Stage.FILTER, method, path)
                        || isLimited(inForce, Rule.Stage.HANDLER, method, path)));
            }
        }
        return List.copyOf(free);
    }

    /** Whether an enforced rule matches. A rule in shadow mode denies nothing. */
    private static boolean isLimited(RuleSet inForce, Rule.Stage stage, String method, String path) {
        return inForce.match(stage, method, path).stream().anyMatch(BoundRule::enforced);
    }

    private static String listed(List<String> names) {
        return names.size() <= NAMED
                ? String.join(", ", names)
                : String.join(", ", names.subList(0, NAMED)) + " and " + (names.size() - NAMED) + " more";
    }
}
