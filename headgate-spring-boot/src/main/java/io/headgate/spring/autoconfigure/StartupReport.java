package io.headgate.spring.autoconfigure;

import io.headgate.Store;
import io.headgate.http.Checkpoint;
import io.headgate.http.Rule;
import io.headgate.http.RuleSet;
import io.headgate.spring.RuleStore;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;

/** Says once, when the application is up, what is limited, where the counts are kept, and what is not limited. */
final class StartupReport implements ApplicationListener<ApplicationReadyEvent> {

    private static final Log LOG = LogFactory.getLog("io.headgate");

    private static final int NAMED = 10;

    private final Store store;
    private final RuleStore rules;
    private final List<Endpoints> endpoints;

    StartupReport(Store store, RuleStore rules, List<Endpoints> endpoints) {
        this.store = store;
        this.rules = rules;
        this.endpoints = endpoints;
    }

    @Override
    public void onApplicationEvent(ApplicationReadyEvent event) {
        LOG.info(line());
        rules.get().warnings().forEach(LOG::warn);
    }

    String line() {
        RuleSet inForce = rules.get();
        List<Checkpoint> all = inForce.checkpoints();
        long tried = all.stream()
                .filter(each -> each.rule().behavior() == Rule.Behavior.SHADOW)
                .count();
        String line = "Headgate: " + (all.size() == 1 ? "1 rule" : all.size() + " rules") + " in force"
                + (tried == 0 ? "" : " (" + tried + " only tried out)") + ", kept "
                + (store.inProcess() ? "in memory by this instance" : "in " + store);
        List<String> free = notLimited(inForce);
        return free.isEmpty() ? line : line + "; not limited: " + listed(free);
    }

    private List<String> notLimited(RuleSet inForce) {
        Set<String> free = new TreeSet<>();
        for (Endpoints some : endpoints) {
            for (Endpoints.Endpoint endpoint : some.all()) {
                if (!endpoint.limited()
                        && !holdsBack(inForce, Rule.Stage.FILTER, endpoint)
                        && !holdsBack(inForce, Rule.Stage.HANDLER, endpoint)) {
                    free.add(endpoint.toString());
                }
            }
        }
        return List.copyOf(free);
    }

    /** A rule that is only tried out does not. */
    private static boolean holdsBack(RuleSet inForce, Rule.Stage stage, Endpoints.Endpoint endpoint) {
        return inForce.match(stage, endpoint.method(), endpoint.example()).stream()
                .anyMatch(point -> point.rule().behavior() == Rule.Behavior.ENFORCE);
    }

    private static String listed(List<String> names) {
        return names.size() <= NAMED
                ? String.join(", ", names)
                : String.join(", ", names.subList(0, NAMED)) + " and " + (names.size() - NAMED) + " more";
    }
}
